import { createHash, randomUUID } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { ClientMetadata } from 'oidc-provider';
import type { Clock } from '../../clock/clock.js';
import { isCurrent, type ClientCertificate } from '../../security/client-certificate.js';
import type { ProofStore } from '../../security/proof.store.js';
import { NotToBeHad } from '../../security/stated-document.client.js';
import { allowsAccountInformation } from './qc-statements.js';
import { requestedMetadata } from './registration-request.policy.js';
import {
  isOfOrganisation,
  oldestStatementSeconds,
  readStatement,
  type RegistrationFault,
  type SoftwareStatement,
} from './software-statement.policy.js';
import { subjectAttributes } from './subject-dn.js';
import { inGoodStanding } from './tpp.policy.js';
import type { TppKeySets } from './tpp-key-sets.js';
import type { TppRegistry } from './tpp.registry.js';
import type { RegisteredSoftware, SelfRegistered, Tpp, TppStore } from './tpp.store.js';

/** Nothing in FAPI is signed with another algorithm that directories use. */
const algorithms = ['PS256'];
/** A registration request is made to be sent at once. Seconds. */
const longestRequestSeconds = 60 * 60;
/** Clocks differ. Seconds. */
const clockTolerance = 10;

/** The request is refused; RFC 7591, section 3.2.2. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';

  constructor(readonly fault: RegistrationFault) {
    super(fault.error);
  }
}

export interface RegistrationParts {
  /** `iss` of software statements, and the keys that sign them. */
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
  /** Whether a URL is one of the directory's own. */
  readonly isDirectorys: (url: string) => boolean;
  /** A TPP was registered that states a logo. */
  readonly onLogo: () => void;
  /** The keys that sign TPPs' requests. */
  readonly keySets: TppKeySets;
  /** Whom a request may be for. */
  readonly audience: readonly string[];
  readonly registry: TppRegistry;
  readonly tpps: TppStore;
  /** The requests that were used. */
  readonly used: ProofStore;
  readonly clock: Clock;
}

/** Registers TPPs by the word of a directory: Open Banking Dynamic Client Registration 3.3 on RFC 7591 and RFC 7592. */
export class Registration {
  constructor(private readonly parts: RegistrationParts) {}

  /**
   * Registers a TPP that is new. One whose statement has expired or was withdrawn is itself again, with the consents that it
   * had. @throws RegistrationRefused
   */
  async register(jwt: string, presented: ClientCertificate): Promise<Tpp> {
    const { tpps, clock } = this.parts;
    const asked = await this.read(jwt, presented);
    const known = await tpps.findBySoftware(asked.statement.softwareId);
    if (known !== undefined && known.status !== 'active')
      throw refused('unapproved_software_statement', 'the software is suspended by the bank');
    if (known !== undefined && inGoodStanding(known, clock.nowMs())) throw registeredAlready();
    const tpp = await this.accepted(asked, known?.clientId ?? randomUUID(), presented);
    if (known !== undefined) await this.renew(tpp);
    else if (!(await tpps.enrol(tpp))) throw registeredAlready();
    return this.found(tpp.clientId);
  }

  /** Takes another statement and metadata in the place of the former. @throws RegistrationRefused */
  async change(jwt: string, presented: ClientCertificate, { clientId, software }: Tpp): Promise<Tpp> {
    const asked = await this.read(jwt, presented);
    if (asked.statement.softwareId !== software?.softwareId)
      throw refused('unapproved_software_statement', 'the statement is of another software');
    const tpp = await this.accepted(asked, clientId, presented);
    await this.renew(tpp);
    return this.found(clientId);
  }

  /** The statement that is judged to be older is the one whose place is taken, whoever else changes it meanwhile. */
  private async renew(tpp: SelfRegistered): Promise<void> {
    const { tpps } = this.parts;
    const { softwareId, statement } = tpp.software;
    for (;;) {
      const known = await tpps.findBySoftware(softwareId);
      if (known?.status !== 'active' || known.software === undefined)
        throw refused('unapproved_software_statement', 'the software is suspended by the bank');
      if (isOutdated(statement, known.software))
        throw refused(
          'invalid_software_statement',
          'the software statement is older than what the directory said since',
        );
      if (await tpps.renew(tpp, known.software.statement)) return;
    }
  }

  /** What the directory says with this statement, as of now. @throws RegistrationRefused */
  async statement(jwt: string): Promise<SoftwareStatement> {
    const claims = await this.verified(jwt, this.parts.keys, 'invalid_software_statement', {
      issuer: this.parts.issuer,
      requiredClaims: ['jti'],
      maxTokenAge: oldestStatementSeconds,
    });
    const statement = readStatement(claims, this.parts.isDirectorys);
    if ('error' in statement) throw new RegistrationRefused(statement);
    return statement;
  }

  private async read(jwt: string, presented: ClientCertificate): Promise<Asked> {
    const { software_statement: statementJwt } = unverified(jwt);
    if (typeof statementJwt !== 'string') throw refused('invalid_software_statement', 'software_statement is required');
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

  /** Before anything is fetched of what the statement names. */
  private checkCertificate(presented: ClientCertificate, statement: SoftwareStatement): void {
    const { certificate } = presented;
    if (!presented.issued || !isCurrent(presented, this.parts.clock.nowMs()))
      throw refused(
        'unapproved_software_statement',
        'the certificate of the connection is not of an accepted authority',
      );
    if (!isOfOrganisation(subjectAttributes(certificate.subject), statement))
      throw refused('unapproved_software_statement', 'the certificate of the connection is not of the organisation');
    try {
      if (allowsAccountInformation(certificate.raw)) return;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    throw refused('unapproved_software_statement', 'the certificate of the connection lacks the role PSP_AI');
  }

  private keysOf({ keysUrl }: SoftwareStatement): JWTVerifyGetKey {
    const { keySets } = this.parts;
    return async (...signed) => {
      try {
        const keys = createLocalJWKSet(keySets.atHand(keysUrl) ?? (await keySets.read(keysUrl)));
        return await keys(...signed).catch(async (error: unknown) => {
          if (!(error instanceof errors.JWKSNoMatchingKey && keySets.canRead(keysUrl))) throw error;
          // The software may have begun to sign with a new key.
          return createLocalJWKSet(await keySets.read(keysUrl))(...signed);
        });
      } catch (error) {
        if (error instanceof NotToBeHad)
          throw refused('invalid_software_statement', 'the key set of software_jwks_endpoint cannot be had');
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
    const what = error === 'invalid_software_statement' ? 'the software statement' : 'the request';
    try {
      const currentDate = new Date(this.parts.clock.nowMs());
      const { payload } = await jwtVerify(jwt, keys, { algorithms, clockTolerance, currentDate, ...terms });
      return payload;
    } catch (fault) {
      if (fault instanceof errors.JWTExpired) throw refused(error, `${what} has expired or is too old`);
      if (fault instanceof errors.JWTClaimValidationFailed)
        throw refused(error, `${what} has a wrong or no claim ${fault.claim}`);
      if (fault instanceof errors.JOSEError) throw refused(error, `the signature of ${what} is not a good PS256 one`);
      throw fault;
    }
  }

  private async useOnce(softwareId: string, { jti, exp = 0 }: JWTPayload): Promise<void> {
    const nowMs = this.parts.clock.nowMs();
    if (exp > nowMs / 1_000 + longestRequestSeconds + clockTolerance)
      throw refused('invalid_client_metadata', 'the request must expire within an hour');
    const id = createHash('sha256').update(`registration:${softwareId}:${jti}`).digest('base64url');
    if (!(await this.parts.used.use(id, new Date((exp + clockTolerance + 1) * 1_000), new Date(nowMs))))
      throw refused('invalid_client_metadata', 'the request was used before: jti must be another one');
  }

  private async accepted(asked: Asked, clientId: string, { certificate }: ClientCertificate): Promise<SelfRegistered> {
    const { statement, statementJwt } = asked;
    const requested = requestedMetadata(asked.request, statement, clientId, certificate.subject);
    if ('error' in requested) throw new RegistrationRefused(requested);
    const metadata = requested.metadata as unknown as ClientMetadata;
    const fault = await this.parts.registry.faultOfMetadata(metadata);
    if (fault !== undefined) throw new RegistrationRefused(fault);
    const { softwareId, organisationId, name, logo, expiresAt } = statement;
    return {
      clientId,
      name,
      ...(logo !== undefined && { logo }),
      metadata,
      software: { softwareId, organisationId, statement: statementJwt, ...(expiresAt && { expiresAt }) },
    };
  }

  private async found(clientId: string): Promise<Tpp> {
    const tpp = await this.parts.tpps.find(clientId);
    if (tpp === undefined) throw new Error('a TPP that was just registered is not there');
    if (tpp.logo !== undefined) this.parts.onLogo();
    return tpp;
  }
}

interface Asked {
  readonly statement: SoftwareStatement;
  readonly statementJwt: string;
  readonly request: JWTPayload;
}

/** What the request says, before it is known whose it is: it says where that can be known from. */
function unverified(jwt: string): JWTPayload {
  try {
    return decodeJwt(jwt);
  } catch {
    throw refused('invalid_client_metadata', 'the body is not a signed JWT');
  }
}

/** Whether the directory is known to have said something else since it issued this statement. */
function isOutdated(statement: string, known: RegisteredSoftware): boolean {
  const [issuedAt, knownIssuedAt] = [statement, known.statement].map((jwt) => decodeJwt(jwt).iat ?? 0) as [
    number,
    number,
  ];
  const { withdrawnAt } = known;
  return (
    issuedAt < knownIssuedAt || (withdrawnAt !== undefined && issuedAt + clockTolerance < withdrawnAt.getTime() / 1_000)
  );
}

function registeredAlready(): RegistrationRefused {
  return refused('unapproved_software_statement', 'the software is registered already: change that with PUT');
}

function refused(error: RegistrationFault['error'], description: string): RegistrationRefused {
  return new RegistrationRefused({ error, description });
}
