import type { TSchema } from 'typebox';
import type { ConsentState } from '../open-banking/consent-state.js';
import type { ErrorCodes } from '../open-banking/error-table.js';
import type { EndpointForm } from './endpoint-form.js';

/** All that one version of the API says in its own words. */
export interface ApiVersion {
  /** As the paths have it, e.g. `v3.1`. */
  readonly name: string;
  /** The release of the standard that its document names. */
  readonly release: string;
  /** The prefix of all its paths. */
  readonly basePath: string;
  /** One for each endpoint that it serves. */
  readonly forms: readonly EndpointForm[];
  readonly consent: ConsentForm;
  readonly errorCodes: ErrorCodes;
  /** JSON Schema pattern of its error codes. */
  readonly errorCodePattern: string;
}

/** How a version tells a TPP the state of a consent. */
export interface ConsentForm {
  /** Schemas of the members of `Data` that tell it. */
  readonly members: Readonly<Record<string, TSchema>>;
  /** The values of these members. */
  tell(state: ConsentState): Readonly<Record<string, unknown>>;
}
