/** Roles of payment service providers in certificates: ETSI TS 119 495, section 5.1 and annex A. */

const qcStatements = '2b06010505070103';
const psd2Statement = '040081982702';
const accountInformation = '04008198270103';
const [sequence, objectIdentifier, octetString, extensions] = [0x30, 0x06, 0x04, 0xa3];

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/**
 * Whether the certificate allows account information: its PSD2 statement names the role, or it has no such statement.
 * @param certificate DER
 * @throws RangeError when it is not well-formed
 */
export function allowsAccountInformation(certificate: Buffer): boolean {
  const [toBeSigned] = inside(one(certificate));
  const own = inside(toBeSigned).find(({ tag }) => tag === extensions);
  const statements = own && valueOf(inside(one(own.content)), qcStatements);
  if (statements === undefined || statements.tag !== octetString) return true;
  const psd2 = valueOf(inside(one(statements.content)), psd2Statement);
  if (psd2 === undefined) return true;
  const [roles] = inside(psd2);
  return inside(roles).some((role) => isOf(role, accountInformation));
}

/** Of sequences that begin with an object identifier, the last element of the one with this identifier. */
function valueOf(list: readonly Element[], identifier: string): Element | undefined {
  const found = list.find((element) => isOf(element, identifier));
  return found && inside(found).at(-1);
}

function isOf(element: Element, identifier: string): boolean {
  const [name] = inside(element);
  return name?.tag === objectIdentifier && name.content.toString('hex') === identifier;
}

function inside(element: Element | undefined): readonly Element[] {
  if (element?.tag !== sequence) throw new RangeError('a sequence was expected');
  return elements(element.content);
}

function one(der: Buffer): Element {
  const [element, ...more] = elements(der);
  if (element === undefined || more.length > 0) throw new RangeError('one element was expected');
  return element;
}

/** X.690, section 8.1: tag, length, contents, one after the other. No certificate has tags of more than a byte. */
function elements(der: Buffer): readonly Element[] {
  const found: Element[] = [];
  for (let at = 0; at < der.length;) {
    const [tag, first] = [der[at], der[at + 1]];
    if (tag === undefined || first === undefined) throw new RangeError('cut off');
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    if ((tag & 0x1f) === 0x1f || first === 0x80 || lengthBytes > 3) throw new RangeError('not DER of a certificate');
    const from = at + 2 + lengthBytes;
    if (from > der.length) throw new RangeError('cut off');
    const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
    if (from + length > der.length) throw new RangeError('cut off');
    found.push({ tag, content: der.subarray(from, from + length) });
    at = from + length;
  }
  return found;
}
