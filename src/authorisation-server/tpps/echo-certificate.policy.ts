import type { ClientCertificate } from '../../security/tls/client-certificate.js';
import { formatDateTime } from '../../open-banking/date-times.js';
import type { CertificateOwner } from './certificate-owners.js';
import { rolesOf } from './qc-statements.js';
import { subjectAttributes } from './subject-dn.js';

/** One reason why a certificate is refused, and the act that mends it, both for the TPP's developer. */
interface CertificateFault {
  /** `Everything`: no token is issued with the certificate, and none is accepted. */
  readonly Refuses: 'Everything' | 'Registration' | 'AuthenticationByCertificate';
  readonly Fault: string;
  readonly Mend: string;
}

interface EchoedCertificate {
  readonly Accepted: boolean;
  readonly Certificate?: object;
  readonly Clients: readonly object[];
  readonly Faults: readonly CertificateFault[];
}

/** The answer about a certificate, from which its holder learns why the gateway refuses it, or that it does not. */
export function echoOf(
  presented: ClientCertificate | undefined,
  owners: readonly CertificateOwner[],
  nowMs: number,
): EchoedCertificate {
  const faults = presented === undefined ? [noCertificate] : faultsOf(presented, owners, nowMs);
  return {
    Accepted: !faults.some(({ Refuses }) => Refuses === 'Everything'),
    ...(presented && { Certificate: shown(presented) }),
    Clients: owners.map(({ tpp, standing }) => ({ ClientId: tpp.clientId, Name: tpp.name, Standing: standing })),
    Faults: faults,
  };
}

const noCertificate: CertificateFault = {
  Refuses: 'Everything',
  Fault: 'The gateway saw no certificate on this connection.',
  Mend: 'Connect with your client certificate and its key (with curl: --cert and --key). If you did, tell the bank: its proxy does not pass the certificate on.',
};

function shown({ certificate, thumbprint }: ClientCertificate): object {
  const [organisation] = [...subjectAttributes(certificate.subject)].filter((each) => each.startsWith('2.5.4.97='));
  const roles = rolesOf(certificate.raw);
  const [begins, ends] = datesOf(certificate);
  return {
    Subject: oneLine(certificate.subject),
    Issuer: oneLine(certificate.issuer),
    SerialNumber: certificate.serialNumber,
    Thumbprint: thumbprint,
    NotBeforeDateTime: formatDateTime(begins),
    NotAfterDateTime: formatDateTime(ends),
    ...(organisation !== undefined && { OrganisationId: organisation.slice('2.5.4.97='.length) }),
    ...(Array.isArray(roles) && { Roles: roles }),
  };
}

function faultsOf(
  presented: ClientCertificate,
  owners: readonly CertificateOwner[],
  nowMs: number,
): readonly CertificateFault[] {
  const dated = dateFault(presented, nowMs);
  // A self-signed certificate that a client registered needs no authority.
  const isRegistered = !presented.issued && owners.length > 0;
  const isDated = dated !== undefined || /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(presented.fault ?? '');
  const all = [
    dated,
    presented.issued || isRegistered || isDated ? undefined : authorityFault(presented),
    roleFault(presented),
    ...owners.map(standingFault),
    owners.length === 0 ? unregistered : undefined,
  ];
  return all.filter((fault) => fault !== undefined);
}

function dateFault({ certificate }: ClientCertificate, nowMs: number): CertificateFault | undefined {
  const [begins, ends] = datesOf(certificate);
  if (nowMs < begins.getTime())
    return everything(
      `The certificate is valid from ${formatDateTime(begins)}, and the bank’s clock is at ${formatDateTime(new Date(nowMs))}.`,
      'Wait until then, or use a certificate that is valid now.',
    );
  if (nowMs >= ends.getTime())
    return everything(
      `The certificate expired at ${formatDateTime(ends)}.`,
      'Renew it, and connect with the new certificate.',
    );
  return undefined;
}

function authorityFault({ fault }: ClientCertificate): CertificateFault {
  const openssl = fault === undefined ? '' : ` (OpenSSL: ${fault})`;
  return everything(
    `No authority that the bank accepts issued the certificate for TLS clients${openssl}.`,
    'Send the certificate with its intermediate certificates. If it is of another authority, get one of an authority that the bank accepts, or register the certificate itself with self_signed_tls_client_auth.',
  );
}

function roleFault({ certificate }: ClientCertificate): CertificateFault | undefined {
  const roles = rolesOf(certificate.raw);
  if (roles === undefined || (roles !== 'malformed' && roles.includes('PSP_AI'))) return undefined;
  return {
    Refuses: 'Registration',
    Fault:
      roles === 'malformed'
        ? 'The PSD2 statement in the certificate cannot be read.'
        : 'The PSD2 statement in the certificate lacks the role PSP_AI.',
    Mend: 'Register with a certificate whose statement has PSP_AI, or that has no statement.',
  };
}

function standingFault({ tpp, standing }: CertificateOwner): CertificateFault | undefined {
  if (standing === 'active') return undefined;
  return standing === 'suspended'
    ? everything(`The bank has suspended the client ${tpp.clientId}.`, 'Ask the bank for the cause.')
    : everything(
        `The software statement of the client ${tpp.clientId} has expired, or the directory withdrew it.`,
        'Register again with a new statement of the directory.',
      );
}

const unregistered: CertificateFault = {
  Refuses: 'AuthenticationByCertificate',
  Fault: 'No client has registered the certificate, its subject or its organisation.',
  Mend: 'Nothing, where your client authenticates by private_key_jwt: it may use any certificate of an accepted authority. Otherwise register the certificate.',
};

function everything(Fault: string, Mend: string): CertificateFault {
  return { Refuses: 'Everything', Fault, Mend };
}

function datesOf({ validFrom, validTo }: ClientCertificate['certificate']): readonly [Date, Date] {
  return [new Date(validFrom), new Date(validTo)];
}

/** Node prints one attribute a line. */
function oneLine(name: string): string {
  return name.split('\n').filter(Boolean).join(', ');
}
