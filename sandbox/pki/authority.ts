import 'reflect-metadata';
import { KeyObject, createPrivateKey, webcrypto } from 'node:crypto';
import { id_pe_qcStatements } from '@peculiar/asn1-x509-qualified';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { type PspRole, competentAuthority, psd2Statements } from './qc-statements.js';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The identity of a TPP in its certificate. */
export interface TppSubject {
  readonly organisationName: string;
  /** The directory's id of the organisation. */
  readonly organisationId: string;
  /** The national authority's number of the organisation. */
  readonly registrationId: string;
  readonly roles: readonly PspRole[];
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 86_400_000;
const validForDays = 3_650;

/** The certificate authority of the sandbox. Nothing outside the sandbox should trust it. */
export class Authority {
  private constructor(
    readonly pair: KeyPair,
    private readonly certificate: X509Certificate,
    private readonly signingKey: webcrypto.CryptoKey,
    private readonly nowMs: number,
  ) {}

  static async make(nowMs: number): Promise<Authority> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'C=GB, O=Account information sandbox, CN=Sandbox certificate authority',
      keys,
      signingAlgorithm: ecdsa,
      ...validity(nowMs),
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return new Authority(pem(certificate, keys.privateKey), certificate, keys.privateKey, nowMs);
  }

  /** The authority that {@link make} made at some time, by its pair. */
  static async from(pair: KeyPair, nowMs: number): Promise<Authority> {
    const pkcs8 = createPrivateKey(pair.key).export({ type: 'pkcs8', format: 'der' });
    const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, ecdsa, false, ['sign']);
    return new Authority(pair, new X509Certificate(pair.certificate), key, nowMs);
  }

  /** A certificate for a server under these host names and addresses. */
  server(hosts: readonly string[]): Promise<KeyPair> {
    const names = hosts.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value }) as const);
    return this.issue(`C=GB, O=Account information sandbox, CN=${hosts[0] ?? ''}`, ExtendedKeyUsage.serverAuth, [
      new SubjectAlternativeNameExtension(names),
    ]);
  }

  /** A TPP's transport certificate, with the names and the roles that an eIDAS certificate has. */
  tpp({ organisationName, organisationId, registrationId, roles }: TppSubject): Promise<KeyPair> {
    const subject: Record<string, string[]>[] = [
      { C: ['GB'] },
      { O: [organisationName] },
      { '2.5.4.97': [`PSD${competentAuthority.id}-${registrationId}`] },
      { CN: [organisationId] },
    ];
    return this.issue(subject, ExtendedKeyUsage.clientAuth, [
      new Extension(id_pe_qcStatements, false, psd2Statements(roles, competentAuthority)),
    ]);
  }

  private async issue(
    subject: string | Record<string, string[]>[],
    usage: ExtendedKeyUsage,
    extensions: readonly Extension[],
  ): Promise<KeyPair> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      subject,
      issuer: this.certificate.subjectName,
      publicKey: keys.publicKey,
      signingKey: this.signingKey,
      signingAlgorithm: ecdsa,
      ...validity(this.nowMs),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([usage]),
        await AuthorityKeyIdentifierExtension.create(this.certificate),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
        ...extensions,
      ],
    });
    return pem(certificate, keys.privateKey);
  }
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']);
}

/** From yesterday: clocks differ. */
function validity(nowMs: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(nowMs - dayMs), notAfter: new Date(nowMs + validForDays * dayMs) };
}

function pem(certificate: X509Certificate, privateKey: webcrypto.CryptoKey): KeyPair {
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
