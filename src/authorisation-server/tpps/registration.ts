import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { decodeJwt } from 'jose';
import type { ClientMetadata } from 'oidc-provider';
import { Clock } from '../../clock/clock.js';
import type { ClientCertificate } from '../../security/tls/client-certificate.js';
import { clockToleranceSeconds } from '../../security/tokens/signed-jwt.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import { TppStandingStore } from '../../security/tpp-standing.store.js';
import { Trail } from '../../trail/trail.js';
import { requestedMetadata } from './registration-request.policy.js';
import {
  registrationRefusal,
  RegistrationRefusal,
  type RegistrationRequest,
  RegistrationRequests,
} from './registration-request.js';
import type { SoftwareStatement } from './software-statement.policy.js';
import { inGoodStanding } from './tpp.policy.js';
import { TppRegistry } from './tpp.registry.js';
import { TppStore, type RegisteredSoftware, type SelfRegistered, type Tpp } from './tpp.store.js';

/** Registers TPPs by a directory's statement: Open Banking Dynamic Client Registration 3.3 on RFC 7591 and RFC 7592. */
@Injectable()
export class Registration {
  constructor(
    private readonly requests: RegistrationRequests,
    private readonly registry: TppRegistry,
    private readonly tpps: TppStore,
    private readonly standings: TppStandingStore,
    private readonly clock: Clock,
    private readonly trail: Trail,
  ) {}

  /**
   * Registers a TPP that is new. One whose statement has expired or was withdrawn is itself again, with the consents that it
   * had. @throws RegistrationRefusal
   */
  async register(jwt: string, presented: ClientCertificate): Promise<Tpp> {
    const { tpps, clock } = this;
    const asked = await this.requests.read(jwt, presented);
    const registered = await tpps.findBySoftware(asked.statement.softwareId);
    if (registered !== undefined && (await this.isSuspended(registered))) throw suspended();
    if (registered !== undefined && inGoodStanding(registered, clock.nowMs())) throw registeredAlready();
    const tpp = await this.accepted(asked, registered?.clientId ?? randomUUID(), presented);
    if (registered !== undefined) await this.renew(tpp);
    else if (!(await tpps.enrol(tpp))) throw registeredAlready();
    this.leave('registered', tpp.clientId);
    return this.found(tpp.clientId);
  }

  /** Replaces the statement and the metadata. @throws RegistrationRefusal */
  async change(jwt: string, presented: ClientCertificate, { clientId, software }: Tpp): Promise<Tpp> {
    const asked = await this.requests.read(jwt, presented);
    if (asked.statement.softwareId !== software?.softwareId)
      throw registrationRefusal('unapproved_software_statement', 'the statement is for another software');
    const tpp = await this.accepted(asked, clientId, presented);
    await this.renew(tpp);
    this.leave('changed', clientId);
    return this.found(clientId);
  }

  /** Ends the registration of a TPP at its own wish. */
  async remove({ clientId }: Tpp): Promise<void> {
    await this.tpps.remove(clientId);
    this.leave('deleted', clientId);
  }

  private leave(event: 'registered' | 'changed' | 'deleted', tpp: string): void {
    this.trail.happened({ kind: 'tpp', event, by: 'tpp', issuer: embeddedIssuer, tpp });
  }

  /** Compares again whenever another request has replaced the statement meanwhile. */
  private async renew(tpp: SelfRegistered): Promise<void> {
    const { tpps } = this;
    const { softwareId, statement } = tpp.software;
    for (;;) {
      const registered = await tpps.findBySoftware(softwareId);
      if (registered?.software === undefined || (await this.isSuspended(registered))) throw suspended();
      if (isOutdated(statement, registered.software))
        throw registrationRefusal(
          'invalid_software_statement',
          'the software statement is older than the last answer of the directory',
        );
      if (await tpps.renew(tpp, registered.software.statement)) return;
    }
  }

  private isSuspended({ clientId }: Tpp): Promise<boolean> {
    return this.standings.isSuspended(tppId(embeddedIssuer, clientId));
  }

  /** Verifies the directory's statement, as of now. @throws RegistrationRefusal */
  statement(jwt: string): Promise<SoftwareStatement> {
    return this.requests.statement(jwt);
  }

  private async accepted(
    asked: RegistrationRequest,
    clientId: string,
    { certificate }: ClientCertificate,
  ): Promise<SelfRegistered> {
    const { statement, statementJwt } = asked;
    const requested = requestedMetadata(asked.request, statement, clientId, certificate);
    if ('error' in requested) throw new RegistrationRefusal(requested);
    const metadata = requested.metadata as unknown as ClientMetadata;
    const fault = await this.registry.faultOfMetadata(metadata);
    if (fault !== undefined) throw new RegistrationRefusal(fault);
    const { softwareId, organisationId, name, expiresAt } = statement;
    return {
      clientId,
      name,
      metadata,
      software: { softwareId, organisationId, statement: statementJwt, ...(expiresAt && { expiresAt }) },
    };
  }

  private async found(clientId: string): Promise<Tpp> {
    const tpp = await this.tpps.find(clientId);
    if (tpp === undefined) throw new Error('a TPP that was just registered cannot be found');
    return tpp;
  }
}

/** Whether the directory has given another answer since it issued this statement. */
function isOutdated(statement: string, registered: RegisteredSoftware): boolean {
  const [issuedAt, registeredIssuedAt] = [statement, registered.statement].map((jwt) => decodeJwt(jwt).iat ?? 0) as [
    number,
    number,
  ];
  const { withdrawnAt } = registered;
  return (
    issuedAt < registeredIssuedAt ||
    (withdrawnAt !== undefined && issuedAt + clockToleranceSeconds < withdrawnAt.getTime() / 1_000)
  );
}

function suspended(): RegistrationRefusal {
  return registrationRefusal('unapproved_software_statement', 'the software is suspended by the bank', 'tpp-suspended');
}

function registeredAlready(): RegistrationRefusal {
  const description = 'the software is registered already: change its registration with PUT';
  return registrationRefusal('unapproved_software_statement', description, 'registration-exists');
}
