import { AsnConvert } from '@peculiar/asn1-schema';
import { AttributeValue } from '@peculiar/asn1-x509';

/**
 * Subject names of certificates, compared as sets of attributes: Node prints the order of the encoding, TPPs register
 * RFC 4514 (the reverse), and the organisation identifier of eIDAS certificates has four spellings.
 */

const organisationIdentifier = '2.5.4.97';
const names: Readonly<Record<string, string>> = {
  organizationidentifier: organisationIdentifier,
  organisationidentifier: organisationIdentifier,
  'oid.2.5.4.97': organisationIdentifier,
  commonname: 'cn',
  'oid.2.5.4.3': 'cn',
  '2.5.4.3': 'cn',
  'oid.2.5.4.5': 'serialnumber',
  '2.5.4.5': 'serialnumber',
  'oid.2.5.4.15': 'businesscategory',
  '2.5.4.15': 'businesscategory',
  '1.3.6.1.4.1.311.60.2.1.3': 'jurisdictionc',
  jurisdictioncountryname: 'jurisdictionc',
  e: 'emailaddress',
  '1.2.840.113549.1.9.1': 'emailaddress',
  '0.9.2342.19200300.100.1.25': 'dc',
};

/** For the TPP that registers a subject. */
export const subjectForm =
  'the subject of the certificate as RFC 4514 writes it, such as CN=0015800001041RE,O=Third Party,C=GB, and not in the form ' +
  '/C=GB/O=... of OpenSSL: openssl x509 -in tpp.pem -noout -subject -nameopt RFC2253 prints it';

const attributeType = String.raw`(?:[A-Za-z][A-Za-z0-9-]*|(?:[Oo][Ii][Dd]\.)?\d+(?:\.\d+)+)`;
/** In hex, in quotes (RFC 2253, section 4), or as it is. */
const attributeValue = String.raw`(?: *#(?:[0-9A-Fa-f]{2})+ *| *"(?:[^"\\]|\\.)+" *|(?! *#)(?:[^"\\,+;<>\0]|\\(?:[ "#+,;<=>\\]|[0-9A-Fa-f]{2}))+)`;
const attribute = String.raw` *${attributeType} *=${attributeValue}`;
const distinguishedName = new RegExp(`^${attribute}(?:[,+;]${attribute})*$`);

/** Whether the text is a name of RFC 4514, with the older forms that {@link isSubject} reads too. */
export function isDistinguishedName(text: string): boolean {
  return distinguishedName.test(text);
}

/**
 * Whether the certificate's subject is the registered one.
 * @param subject as Node's `X509Certificate.subject` prints it: one attribute a line
 * @param registered RFC 4514 text; some tools leave the organisation identifier out, and only that may be missing
 */
export function isSubject(subject: string, registered: string): boolean {
  const actual = subjectAttributes(subject);
  const expected = new Set(attributes(registered));
  if (expected.size === 0) return false;
  const missing = [...actual].filter((attribute) => !expected.has(attribute));
  return (
    [...expected].every((attribute) => actual.has(attribute)) &&
    missing.every((attribute) => attribute.startsWith(`${organisationIdentifier}=`))
  );
}

/**
 * The attributes of a subject, `name=value`, with one spelling of each name.
 * @param subject as Node's `X509Certificate.subject` prints it: one attribute a line
 */
export function subjectAttributes(subject: string): ReadonlySet<string> {
  return new Set(subject.split('\n').flatMap((line) => attributes(line)));
}

/** RFC 4514, section 3: attributes parted by `,` or `+`, with `\` before a character or two hex digits, or in quotes. */
function attributes(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\\') part += char + text.charAt(++index);
    else if (char === '"') quoted = !quoted;
    else if (!quoted && (char === ',' || char === '+' || char === ';')) {
      parts.push(part);
      part = '';
    } else part += char;
  }
  parts.push(part);
  return parts.flatMap((attribute) => {
    const at = attribute.indexOf('=');
    if (at < 1) return [];
    const name = attribute.slice(0, at).trim().toLowerCase();
    return [`${names[name] ?? name}=${value(attribute.slice(at + 1).trim())}`];
  });
}

function value(text: string): string {
  const encoded = /^#((?:[0-9a-f]{2})+)$/i.exec(text)?.[1];
  if (encoded !== undefined) return decoded(Buffer.from(encoded, 'hex')) ?? text;
  const bytes: Buffer[] = [];
  for (const match of text.matchAll(/\\([0-9a-f]{2})|\\(.)|([^\\]+)/gis))
    bytes.push(match[1] === undefined ? Buffer.from(match[2] ?? match[3] ?? '') : Buffer.from(match[1], 'hex'));
  return Buffer.concat(bytes).toString('utf8');
}

/** The text of an attribute's value in BER, which follows `#` (RFC 4514, section 2.4); `undefined` where it is malformed. */
function decoded(ber: Buffer): string | undefined {
  try {
    return AsnConvert.parse(ber, AttributeValue).toString();
  } catch {
    return undefined;
  }
}
