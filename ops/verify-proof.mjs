// `node verify-proof.mjs PROOF PUBLIC_KEY`: whether the events in PROOF, a file of `npm run ops -- trail prove`, are in the
// trail that the owner of PUBLIC_KEY signed. It needs Node and nothing else: neither the other events nor a database.
// docs/operate/trail.md describes the formats. Take PUBLIC_KEY from the bank, not from the file.
import { Buffer } from 'node:buffer';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { argv, exit } from 'node:process';

class NotProven extends Error {}

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
// RFC 6962, section 2.1: leaves and nodes have different prefixes.
const leafHash = (line) => sha256(Buffer.of(0), Buffer.from(line));
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

/** The root to which the path leads from a leaf: RFC 9162, section 2.1.3.2. */
function rootOf(leaf, index, size, path) {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size)
    throw new NotProven('the segment has no line with the index of the event');
  let [place, last, hash] = [index, size - 1, leaf];
  for (const step of path) {
    if (last === 0) throw new NotProven('the path is too long');
    const sibling = Buffer.from(step, 'hex');
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else hash = nodeHash(hash, sibling);
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  if (last !== 0) throw new NotProven('the path is too short');
  return hash.toString('hex');
}

/** JSON with the members in the order of their names, and without blanks. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort((one, other) => (one < other ? -1 : 1));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

function checkSignature(record, raw) {
  const { signature, ...signed } = record;
  // RFC 8410: the header of an Ed25519 key.
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const hash = sha256(Buffer.from(canonical(signed)));
  if (record.keyId !== sha256(raw).toString('hex').slice(0, 16)) throw new NotProven('the root names another key');
  if (!verify(undefined, hash, key, Buffer.from(String(signature), 'base64url')))
    throw new NotProven('the signature of the root is wrong');
}

function check(proof, publicKey) {
  const raw = Buffer.from(publicKey, 'base64url');
  if (raw.length !== 32) throw new NotProven('PUBLIC_KEY is not an Ed25519 key in base64url');
  if (proof.v !== 1) throw new NotProven('this program knows version 1 of proofs only');
  if (proof.publicKey !== publicKey) throw new NotProven('the proof is made for another key than PUBLIC_KEY');
  if (!Array.isArray(proof.events) || proof.events.length === 0) throw new NotProven('the proof holds no event');
  for (const { line, index, path, record } of proof.events) {
    checkSignature(record, raw);
    if (rootOf(leafHash(line), index, record.events, path) !== record.root)
      throw new NotProven('the event is not under the root');
  }
}

const [, , file, publicKey] = argv;
if (file === undefined || publicKey === undefined) {
  console.error('usage: node verify-proof.mjs PROOF PUBLIC_KEY');
  exit(2);
}
try {
  const proof = JSON.parse(readFileSync(file, 'utf8'));
  check(proof, publicKey);
  for (const { line, index, record } of proof.events) {
    console.log(line);
    console.log(
      `proven: event ${index + 1} of ${record.events} in ${record.segment}, record ${record.sequence} of the chain, signed at ${record.signedAt}`,
    );
  }
} catch (error) {
  const expected = error instanceof NotProven || error instanceof SyntaxError || error instanceof TypeError;
  console.error(`not proven: ${expected ? error.message : `${file}: ${error.code ?? error.message}`}`);
  exit(1);
}
