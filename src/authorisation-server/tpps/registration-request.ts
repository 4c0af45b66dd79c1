import { createHash } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../clock/clock.js';
import { isCurrent, type ClientCertificate } from '../../security/tls/client-certificate.js';
import type { ProofStore } from '../../security/tokens/proof.store.js';
import { clockToleranceSeconds as clockTolerance, ExtendedJwt, verifyJwt } from '../../security/tokens/signed-jwt.js';
import { DocumentUnavailable } from '../../security/tpp-document.client.js';
import { certificateRoles, scopesAllowedBy } from './qc-statements.js';
import {
  isOfOrganisation,
  oldestStatementSeconds,
  readStatement,
  type RegistrationFault,
  type SoftwareStatement,
} from './software-statement.policy.js';
import { subjectAttributes } from './subject-dn.js';
import type { TppKeySets } from './tpp-key-sets.js';

/** FAPI has no other algorithm that directories use. */
const algorithms = ['PS256'];
/** A registration request is made to be sent at once. Seconds. */
const longestRequestSeconds = 60 * 60;

/** The request is refused; RFC 7591, section 3.2.2. */
export class RegistrationRefusal extends Error {
  override readonly name = 'RegistrationRefused';

  constructor(readonly fault: RegistrationFault) {
    super(fault.error);
  }
}

interface RegistrationRequestParts {
  /** `iss` of software statements, and the keys that sign them. */
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
  /** No TPP may have it. */
  readonly bankName: string;
  readonly keySets: TppKeySets;
  /** The accepted values of `aud` in a request. */
  readonly audience: readonly string[];
  readonly used: ProofStore;
  readonly clock: Clock;
}

/** A request that was found good, and its software statement. */
export interface RegistrationRequest {
  readonly statement: SoftwareStatement;
  readonly statementJwt: string;
  readonly request: JWTPayload;
}

/** Reads the signed requests of TPPs that register themselves, and the software statements in them. */
export class RegistrationRequests {
  constructor(private readonly parts: RegistrationRequestParts) {}

  /** Verifies the directory's statement, as of now. @throws RegistrationRefusal */
  async statement(jwt: string): Promise<SoftwareStatement> {
    const claims = await this.verified(jwt, this.parts.keys, 'invalid_software_statement', {
      issuer: this.parts.issuer,
      requiredClaims: ['jti'],
      maxTokenAge: oldestStatementSeconds,
    });
    const statement = readStatement(claims, this.parts.bankName);
    if ('error' in statement) throw new RegistrationRefusal(statement);
    return statement;
  }

  /** @throws RegistrationRefusal */
  async read(jwt: string, presented: ClientCertificate): Promise<RegistrationRequest> {
    const { software_statement: statementJwt } = unverified(jwt);
    if (typeof statementJwt !== 'string')
      throw registrationRefusal('invalid_software_statement', 'software_statement is required');
    const statement = await this.statement(statementJwt);
    this.checkCertificate(presented, statement);
    const request = await this.verified(jwt, this.keysOf(statement), 'invalid_client_metadata', {
      issuer: statement.softwareId,
      audience: [...this.parts.audience],
      requiredClaims: ['jti', 'exp'],
      maxTokenAge: longestRequestSeconds,
    });
    await this.useOnce(statement.softwareId, request);
    return { statement, statementJwt, request };
  }

  /** Comes before the gateway fetches any URL of the statement. */
  private checkCertificate(presented: ClientCertificate, statement: SoftwareStatement): void {
    const { certificate } = presented;
    if (!presented.issued || !isCurrent(presented, this.parts.clock.nowMs()))
      throw registrationRefusal(
        'unapproved_software_statement',
        'no accepted authority issued the certificate of the connection',
        'registration-certificate-wrong',
      );
    if (!isOfOrganisation(subjectAttributes(certificate.subject), statement))
      throw registrationRefusal(
        'unapproved_software_statement',
        'the certificate of the connection does not belong to the organisation of the software statement',
        'registration-certificate-wrong',
      );
    const allowed = scopesAllowedBy(certificate.raw);
    if (!statement.scopes.some((scope) => allowed.includes(scope)))
      throw registrationRefusal(
        'unapproved_software_statement',
        `the certificate of the connection lacks the role ${certificateRoles(statement.scopes)}`,
        'registration-certificate-wrong',
      );
  }

  private keysOf({ keysUrl }: SoftwareStatement): JWTVerifyGetKey {
    const { keySets } = this.parts;
    return async (...signed) => {
      try {
        return await createLocalJWKSet(await keySets.keys(keysUrl))(...signed);
      } catch (error) {
        if (error instanceof DocumentUnavailable)
          throw registrationRefusal(
            'invalid_software_statement',
            'the key set of software_jwks_endpoint cannot be fetched',
          );
        throw error;
      }
    };
  }

  private async verified(
    jwt: string,
    keys: JWTVerifyGetKey,
    error: RegistrationFault['error'],
    terms: { issuer: string; audience?: string[]; requiredClaims: string[]; maxTokenAge: number },
  ): Promise<JWTPayload> {
    const document = error === 'invalid_software_statement' ? 'the software statement' : 'the request';
    try {
      const currentDate = new Date(this.parts.clock.nowMs());
      const { payload } = await verifyJwt(jwt, keys, { algorithms, clockTolerance, currentDate, ...terms });
      return payload;
    } catch (fault) {
      if (fault instanceof errors.JWTExpired) throw registrationRefusal(error, `${document} has expired or is too old`);
      if (fault instanceof errors.JWTClaimValidationFailed)
        throw registrationRefusal(error, `the claim ${fault.claim} of ${document} is missing or wrong`);
      if (fault instanceof ExtendedJwt) throw registrationRefusal(error, `${document} ${fault.message}`);
      if (fault instanceof errors.JOSEError)
        throw registrationRefusal(error, `the signature of ${document} is not a valid PS256 signature`);
      throw fault;
    }
  }

  private async useOnce(softwareId: string, { jti, exp = 0 }: JWTPayload): Promise<void> {
    if (exp > this.parts.clock.nowMs() / 1_000 + longestRequestSeconds + clockTolerance)
      throw registrationRefusal('invalid_client_metadata', 'the request must expire within an hour');
    const id = createHash('sha256').update(`registration:${softwareId}:${jti}`).digest('base64url');
    if (!(await this.parts.used.use(id, new Date((exp + clockTolerance + 1) * 1_000))))
      throw registrationRefusal('invalid_client_metadata', 'the request was used before: give it another jti');
  }
}

/** Reads the unverified request: it names the statement by which its sender can be verified. */
function unverified(jwt: string): JWTPayload {
  try {
    return decodeJwt(jwt);
  } catch {
    throw registrationRefusal('invalid_client_metadata', 'the body is not a signed JWT');
  }
}

export function registrationRefusal(
  error: RegistrationFault['error'],
  description: string,
  reason?: RegistrationFault['reason'],
): RegistrationRefusal {
  return new RegistrationRefusal({ error, description, ...(reason && { reason }) });
}
