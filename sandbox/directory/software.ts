import type { JWK } from 'jose';
import type { TppSubject } from '../pki/authority.js';

/** A TPP's software, as its organisation registered it with the directory. */
export interface Software {
  readonly softwareId: string;
  readonly clientName: string;
  /** Acts on behalf of the TPP. */
  readonly agentName?: string;
  readonly description: string;
  readonly clientUri: string;
  readonly redirectUris: readonly string[];
  readonly organisation: TppSubject;
  /** Public signing keys. */
  readonly jwks: { readonly keys: readonly JWK[] };
}

/** `iss` of the directory's statements. */
export const directoryIssuer = 'Sandbox Directory';

/** The organisation behind the sandbox's own TPP. */
export const sandboxOrganisation: TppSubject = {
  organisationName: 'Moneyview Sandbox Ltd',
  organisationId: '0015800001SandboxA',
  registrationId: '900001',
  roles: ['PSP_AI', 'PSP_IC'],
};

/** The name of the sandbox's TPP for customers. */
export const sandboxSoftwareName = 'Moneyview';
