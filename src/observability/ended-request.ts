import type { RefusalReason } from '../open-banking/reasons.js';

/** A request that has ended, as metrics and traces read it: members of its event in the trail, which is a room above. */
export interface EndedRequest {
  /** The interaction id. */
  readonly id: string;
  readonly method?: string | undefined;
  /** The name that the route declares, or its pattern; absent where the request met no route. */
  readonly endpoint?: string | undefined;
  readonly apiVersion?: string | undefined;
  /** 499 where the caller had gone. */
  readonly status?: number;
  /** Until the end of the answer, in milliseconds. */
  readonly lastByteMs?: number | undefined;
  readonly issuer?: string | undefined;
  /** The client id of the TPP at the issuer. */
  readonly tpp?: string | undefined;
  readonly refusedBy?: string | undefined;
  readonly reason?: RefusalReason | undefined;
  readonly unattended?: string | undefined;
}
