import { randomUUID } from 'node:crypto';
import { SignJWT, importJWK } from 'jose';
import type { JSONWebKeySet, JWK } from 'jose';
import type { Clock } from '../../src/clock/clock.js';
import { publicPart } from '../bank/issuer.js';
import { type PspRole, competentAuthority } from '../pki/qc-statements.js';
import { type Software, directoryIssuer } from './software.js';
import { SoftwareRegister } from './software-register.js';

/** How the directory's statements name the roles that certificates have. */
const roleNames: Readonly<Record<PspRole, string>> = {
  PSP_AI: 'AISP',
  PSP_PI: 'PISP',
  PSP_IC: 'CBPII',
  PSP_AS: 'ASPSP',
};

/** The sandbox's directory: it keeps the authorised TPPs and states them to banks in signed statements. */
export class Directory {
  constructor(
    private readonly privateKey: JWK,
    /** Where the directory is reached, without a trailing slash; asked at each statement. */
    private readonly url: () => string,
    private readonly clock: Clock,
    private readonly software = new SoftwareRegister(),
  ) {}

  /** `iss` of the statements. */
  readonly issuer = directoryIssuer;

  get publicKeys(): JSONWebKeySet {
    return { keys: [publicPart(this.privateKey)] };
  }

  /** The keys of registered software, and nothing private of them. */
  keysOf(softwareId: string): JSONWebKeySet {
    return { keys: (this.software.find(softwareId)?.jwks.keys ?? []).map(publicPart) };
  }

  /** The keys of all of an organisation's software. */
  keysOfOrganisation(organisationId: string): JSONWebKeySet {
    const own = this.software.ofOrganisation(organisationId);
    return { keys: own.flatMap(({ jwks }) => jwks.keys.map(publicPart)) };
  }

  /**
   * Registers the software, replaces its earlier registration, and issues its software statement: a PS256 JWT
   * with the claims of the standard's Dynamic Client Registration 3.3, "Software Statement".
   */
  async statement(software: Software): Promise<string> {
    await this.software.put(software);
    return this.sign(software);
  }

  /** The statement of the software as registered now; `undefined` when it is no longer registered. */
  async currentStatement(softwareId: string): Promise<string | undefined> {
    const software = this.software.find(softwareId);
    return software && (await this.sign(software));
  }

  /** Removes the software. */
  withdraw(softwareId: string): Promise<void> {
    return this.software.remove(softwareId);
  }

  private async sign({ softwareId, organisation, ...software }: Software): Promise<string> {
    const roles = organisation.roles.map((role) => roleNames[role]);
    const keys = `${this.url()}/software/${softwareId}`;
    const organisationKeys = `${this.url()}/organisations/${organisation.organisationId}`;
    return new SignJWT({
      software_environment: 'sandbox',
      software_mode: 'Test',
      software_id: softwareId,
      software_client_id: softwareId,
      software_client_name: software.clientName,
      software_client_description: software.description,
      software_version: '1.0',
      software_client_uri: software.clientUri,
      software_policy_uri: software.clientUri,
      software_tos_uri: software.clientUri,
      software_redirect_uris: software.redirectUris,
      software_roles: roles,
      software_on_behalf_of_org: software.agentName ?? null,
      software_jwks_endpoint: `${keys}/jwks.json`,
      software_jwks_revoked_endpoint: `${keys}/revoked.json`,
      organisation_competent_authority_claims: {
        authority_id: competentAuthority.directoryId,
        registration_id: organisation.registrationId,
        status: 'Active',
        authorisations: [{ member_state: 'GB', roles }],
      },
      org_status: 'Active',
      org_id: organisation.organisationId,
      org_name: organisation.organisationName,
      org_contacts: [],
      org_jwks_endpoint: `${organisationKeys}/jwks.json`,
      org_jwks_revoked_endpoint: `${organisationKeys}/revoked.json`,
    })
      .setProtectedHeader({ alg: 'PS256', typ: 'JWT', kid: this.privateKey.kid })
      .setIssuer(this.issuer)
      .setIssuedAt(Math.floor(this.clock.nowMs() / 1000))
      .setJti(randomUUID())
      .sign(await importJWK(this.privateKey, 'PS256'));
  }
}
