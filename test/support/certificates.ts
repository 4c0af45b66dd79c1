import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';

/** A certificate with its private key. */
export interface Certified {
  readonly certificate: X509Certificate;
  readonly certificatePem: string;
  readonly keyPem: string;
  /** RFC 8705, `x5t#S256`. */
  readonly thumbprint: string;
}

const newKeys = (): KeyPairKeyObjectResult => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Certificate authority, server and clients for mutual TLS: X.509 version 3, signed by ECDSA with SHA-256 on P-256. */
export class CertificateAuthority {
  private readonly keys = newKeys();
  readonly certificatePem: string;

  /** Two authorities of one name would look like a forged signature. */
  constructor(private readonly authority = 'test authority') {
    this.certificatePem = certify(authority, this.keys, authority, this.keys, true).certificatePem;
  }

  /** @param until the last second of its time, as YYMMDDhhmmss of UTC */
  issue(name: string, { key, until }: { readonly key?: 'ec' | 'rsa'; readonly until?: string } = {}): Certified {
    const keys = key === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : newKeys();
    return certify(name, keys, this.authority, this.keys, false, until);
  }

  /** A certificate revocation list, PEM; `until` as in {@link issue}. */
  revocationList(revoked: readonly Certified[], until = '491231235959'): string {
    const entries = revoked.map(({ certificate }) =>
      sequence(der(0x02, Buffer.from(certificate.serialNumber, 'hex')), time('200201000000')),
    );
    const toBeSigned = sequence(
      der(0x02, [1]),
      ecdsaWithSha256,
      name(this.authority),
      time('200201000000'),
      time(until),
      // RFC 5280 forbids an empty list of entries.
      ...(entries.length > 0 ? [sequence(...entries)] : []),
    );
    const list = signed(toBeSigned, this.keys.privateKey).toString('base64');
    return `-----BEGIN X509 CRL-----\n${list.replace(/.{1,64}/g, '$&\n')}-----END X509 CRL-----\n`;
  }
}

/** A certificate of no authority. */
export function selfSigned(name: string): Certified {
  const keys = newKeys();
  return certify(name, keys, name, keys);
}

/** RFC 5280, section 4.1; valid from 2020, to 2049 unless the test names an end, for 127.0.0.1. */
function certify(
  subject: string,
  { publicKey, privateKey }: KeyPairKeyObjectResult,
  issuer: string,
  issuerKeys: KeyPairKeyObjectResult,
  authority = false,
  until = '491231235959',
): Certified {
  const extensions = sequence(
    // basicConstraints, critical
    sequence(oid([0x55, 0x1d, 0x13]), der(0x01, [0xff]), octets(authority ? sequence(der(0x01, [0xff])) : sequence())),
    // subjectAltName: the address 127.0.0.1
    sequence(oid([0x55, 0x1d, 0x11]), octets(sequence(der(0x87, [127, 0, 0, 1])))),
  );
  const toBeSigned = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [0x40, ...randomBytes(15)]),
    ecdsaWithSha256,
    name(issuer),
    sequence(time('200101000000'), time(until)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const certificate = new X509Certificate(signed(toBeSigned, issuerKeys.privateKey));
  return {
    certificate,
    certificatePem: certificate.toString(),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    thumbprint: createHash('sha256').update(certificate.raw).digest('base64url'),
  };
}

function name(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid([0x55, 0x04, 0x03]), der(0x0c, text(commonName)))));
}

function signed(content: Buffer, key: KeyObject): Buffer {
  return sequence(content, ecdsaWithSha256, der(0x03, [0, ...sign('sha256', content, key)]));
}

const time = (digits: string): Buffer => der(0x17, text(`${digits}Z`));
const text = (value: string): Buffer => Buffer.from(value);
const oid = (encoded: readonly number[]): Buffer => der(0x06, encoded);
const octets = (content: Buffer): Buffer => der(0x04, content);
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, Buffer.concat(parts));

/** X.690, section 8.1: tag, length, contents. */
function der(tag: number, content: Uint8Array | readonly number[]): Buffer {
  const bytes = Buffer.from(content);
  const { length } = bytes;
  const digits = Buffer.from(length.toString(16).padStart(8, '0'), 'hex');
  const significant = digits.subarray(digits.findIndex((digit) => digit > 0));
  const encoded = length < 0x80 ? [length] : [0x80 + significant.length, ...significant];
  return Buffer.concat([Buffer.from([tag, ...encoded]), bytes]);
}

const ecdsaWithSha256 = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
