import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { createLocalJWKSet, decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { Clock } from '../../clock/clock.js';
import type { DirectoryConfig } from '../../config/config.js';
import { mountPath, registrationPath } from '../../open-banking/authorisation-paths.js';
import { isCurrent, type ClientCertificate } from '../../security/tls/client-certificate.js';
import { ProofStore } from '../../security/tokens/proof.store.js';
import { clockToleranceSeconds as clockTolerance, ExtendedJwt, verifyJwt } from '../../security/tokens/signed-jwt.js';
import { DocumentUnavailable } from '../../security/tpp-document.client.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { PagesByLanguage } from '../pages/pages.js';
import { certificateRoles, scopesAllowedBy } from './qc-statements.js';
import {
  isOfOrganisation,
  oldestStatementSeconds,
  readStatement,
  type RegistrationFault,
  type SoftwareStatement,
} from './software-statement.policy.js';
import { subjectAttributes } from './subject-dn.js';
import { TppKeySets } from './tpp-key-sets.js';

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

/** A request that was found good, and its software statement. */
export interface RegistrationRequest {
  readonly statement: SoftwareStatement;
  readonly statementJwt: string;
  readonly request: JWTPayload;
}

/** The directory, with the keys that sign its statements. */
export interface Directory extends Pick<DirectoryConfig, 'issuer' | 'bankId'> {
  readonly keys: JWTVerifyGetKey;
}
/** By this token Nest injects the {@link Directory}. */
export const DIRECTORY = Symbol('DIRECTORY');

/** Reads the signed requests of TPPs that register themselves, and the software statements in them. */
@Injectable()
export class RegistrationRequests {
  /** The accepted values of `aud` in a request. */
  private readonly audience: string[];

  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    { config, issuer }: AuthorisationSettings,
    private readonly pages: PagesByLanguage,
    private readonly keySets: TppKeySets,
    private readonly used: ProofStore,
    private readonly clock: Clock,
  ) {
    this.audience = [issuer, `${config.tpp.url}${mountPath}${registrationPath}`, ...[directory.bankId ?? []].flat()];
  }

  /** Verifies the directory's statement, as of now. @throws RegistrationRefusal */
  async statement(jwt: string): Promise<SoftwareStatement> {
    const claims = await this.verified(jwt, this.directory.keys, 'invalid_software_statement', {
      issuer: this.directory.issuer,
      requiredClaims: ['jti'],
      maxTokenAge: oldestStatementSeconds,
    });
    const statement = readStatement(claims, this.pages.bankName);
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
      audience: this.audience,
      requiredClaims: ['jti', 'exp'],
      maxTokenAge: longestRequestSeconds,
    });
    await this.useOnce(statement.softwareId, request);
    return { statement, statementJwt, request };
  }

  /** Comes before the gateway fetches any URL of the statement. */
  private checkCertificate(presented: ClientCertificate, statement: SoftwareStatement): void {
    const { certificate } = presented;
    if (!presented.issued || !isCurrent(presented, this.clock.nowMs()))
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
    return async (...signed) => {
      try {
        return await createLocalJWKSet(await this.keySets.keys(keysUrl))(...signed);
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
      const currentDate = new Date(this.clock.nowMs());
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
    if (exp > this.clock.nowMs() / 1_000 + longestRequestSeconds + clockTolerance)
      throw registrationRefusal('invalid_client_metadata', 'the request must expire within an hour');
    const id = createHash('sha256').update(`registration:${softwareId}:${jti}`).digest('base64url');
    if (!(await this.used.use(id, new Date((exp + clockTolerance + 1) * 1_000))))
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
