import type { ClientCertificate } from '../../security/tls/client-certificate.js';
import type { CheckFacts } from '../../trail/check-facts.js';

/** Anyone can make a certificate with a name of any length. */
const mostOfName = 200;

/** The trail's facts on a certificate that no accepted authority issued: no subject, which may be a person. */
export function unacceptedCertificate(presented: ClientCertificate | undefined): CheckFacts | undefined {
  if (presented === undefined || presented.issued) return undefined;
  const { certificate, fault } = presented;
  return {
    ...(fault !== undefined && { tls: fault }),
    certificateIssuer: certificate.issuer.split('\n').join(', ').slice(0, mostOfName),
    certificateSerial: certificate.serialNumber.slice(0, mostOfName),
  };
}
