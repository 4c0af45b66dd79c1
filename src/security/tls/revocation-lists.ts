import { constants, verify, type X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Time } from '@peculiar/asn1-x509';
import { BootError } from '../../config/boot-error.js';
import { readPem, type NamedFile } from '../../config/pem-files.js';

export interface RevocationLists {
  /** One element for each list: OpenSSL reads only the first of an element. */
  readonly crl: readonly string[];
  /** When the first authority is without a list that is valid. From then on TLS accepts no certificate of it. */
  readonly expiresAtMs: number;
}

/**
 * Reads the certificate revocation lists of these authorities. OpenSSL accepts no certificate of an authority without a
 * valid list, so that such a file would cut off every TPP of that authority.
 * @throws BootError of one line
 */
export function readRevocationLists(
  file: NamedFile,
  authorities: readonly X509Certificate[],
  nowMs: number,
): RevocationLists {
  const refuse = (fault: string): never => {
    throw new BootError(`${file.setting} "${file.path}" ${fault}`);
  };
  const crl = readPem(file)
    .toString('latin1')
    .match(/-----BEGIN X509 CRL-----[^-]+-----END X509 CRL-----/g);
  const lists = parsed(crl ?? []) ?? [];
  if (crl === null || lists.length === 0)
    return refuse('holds no certificate revocation lists, or a broken one: name a PEM file of them');
  if (!lists.every((list) => authorities.some((authority) => isSignedBy(list, authority))))
    return refuse('holds a list that no authority of the listener signed: remove it, or add the authority');
  const ends = authorities.map((authority) => {
    const own = lists.filter((list) => isSignedBy(list, authority)).map(({ expiresAtMs: end }) => end);
    return own.length > 0
      ? Math.max(...own)
      : refuse(`holds no list of the authority "${authority.subject.split('\n').join(', ')}": add it`);
  });
  const expiresAtMs = Math.min(...ends);
  if (expiresAtMs <= nowMs)
    return refuse(`expired at ${new Date(expiresAtMs).toISOString()}: fetch the authority's present list`);
  return { crl, expiresAtMs };
}

function parsed(crl: readonly string[]): readonly RevocationList[] | undefined {
  try {
    return crl.map((pem) => listOf(Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')));
  } catch {
    // Malformed DER.
    return undefined;
  }
}

interface RevocationList {
  readonly signed: Buffer;
  readonly algorithm: Buffer;
  readonly signature: Buffer;
  readonly expiresAtMs: number;
}

/**
 * RFC 5280, section 5.1. It steps over the revoked certificates, which can be more than a hundred thousand: the library for
 * ASN.1 would take seconds for these, and the file is read again for the metrics.
 */
function listOf(der: Buffer): RevocationList {
  const [signed, algorithm, signature] = membersOf(elementAt(der, 0));
  if (signed === undefined || algorithm === undefined || signature === undefined) throw new RangeError('no list');
  const [, nextUpdate] = membersOf(signed).filter(({ tag }) => tag === utcTime || tag === generalizedTime);
  return {
    signed: signed.bytes,
    algorithm: algorithm.bytes,
    // Before it comes the number of unused bits: none.
    signature: signature.content.subarray(1),
    // OpenSSL takes a list without the time of the next for good.
    expiresAtMs: nextUpdate ? AsnConvert.parse(nextUpdate.bytes, Time).getTime().getTime() : Infinity,
  };
}

const utcTime = 0x17;
const generalizedTime = 0x18;

/** X.690: tag, length, content. */
interface Element {
  readonly tag: number;
  readonly bytes: Buffer;
  readonly content: Buffer;
}

function elementAt(bytes: Buffer, at: number): Element {
  const first = bytes.readUInt8(at + 1);
  const more = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + more;
  const end = start + (more === 0 ? first : bytes.readUIntBE(at + 2, more));
  if (end > bytes.length) throw new RangeError('cut');
  return { tag: bytes.readUInt8(at), bytes: bytes.subarray(at, end), content: bytes.subarray(start, end) };
}

function membersOf({ content }: Element): readonly Element[] {
  const members: Element[] = [];
  for (let at = 0; at < content.length;) {
    const member = elementAt(content, at);
    members.push(member);
    at += member.bytes.length;
  }
  return members;
}

/** The object identifier 1.2.840.113549.1.1.10. */
const rsaPss = Buffer.from('06092a864886f70d01010a', 'hex');

/** Only to find the fault of a file early: OpenSSL verifies the signature again, by the algorithm that the list names. */
function isSignedBy({ signed, algorithm, signature }: RevocationList, { publicKey: key }: X509Certificate): boolean {
  const kind = key.asymmetricKeyType ?? '';
  const isPss = kind === 'rsa-pss' || algorithm.includes(rsaPss);
  const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const digests = kind.startsWith('ed') ? [null] : ['sha256', 'sha384', 'sha512'];
  return digests.some((digest) => verify(digest, signed, { key, padding }, signature));
}
