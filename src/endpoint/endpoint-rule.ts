import type { AccountRead } from '../../packages/core-adapter/core.adapter.js';
import type { CoreRecord } from '../core-banking/core-record.js';
import type { PageCursors } from '../open-banking/page-cursor.js';
import { detailOf, type Permission, type PermissionGroups } from '../open-banking/permissions.js';
import type { HistoryFilter } from '../request/request-context.js';
import type { IdentifiedView, ResourceView } from './presentation.js';

/**
 * The part of an endpoint that every version of the API shares. Checks, quotas, preflight and published facts read it.
 * Each version that serves the endpoint has a form of it (endpoint-form.ts). A profile says which products have it.
 */
export interface EndpointRule<
  Name extends string = string,
  Read extends EndpointRead = EndpointRead,
  Ids extends RecordIds | undefined = RecordIds | undefined,
  Filter extends HistoryFilter = HistoryFilter,
  Fields = unknown,
> {
  /** Its name in profiles, published facts and limits. */
  readonly name: Name;
  /** The read of the core that the endpoint rests on. */
  readonly read: Read;
  /** The codes that the consent must hold. */
  readonly permissions: PermissionGroups;
  /** The one of these codes that releases the fields of Detail. */
  readonly detail: Permission | undefined;
  readonly window: WindowRule;
  readonly ids: Ids;
  /** Reads the query string; throws `OpenBankingError`. Runs after the account check and before the window's. */
  readonly query: QueryReader<Filter> | undefined;
  /**
   * The fields of a record that a TPP may see, in words of no version: masked, released by Detail, with public ids, signs
   * and date-times. `undefined` where the product does not show the record. Throws `RangeError` for a bad one.
   */
  fields(record: CoreRecord<Read>, view: IdentifiedView): Fields | undefined;
  readonly summary: string;
}

/** A read that a core may lack, or the list of accounts, which every core has. */
export type EndpointRead = AccountRead | 'accounts';

/** How the public ids of an endpoint's records are made. */
export interface RecordIds {
  /** Keeps the ids of different kinds of records apart: no two endpoints have the same. */
  readonly kind: string;
  /** Where the core's references are unique. Within one account no two records of an answer may have the same id. */
  readonly uniqueWithin: 'account' | 'bank';
}

/**
 * docs/specification.md, "The authentication window".
 * - `exempt`: no authentication window.
 * - `always`: only inside the window.
 * - `recent-history`: exempt where the filter says that only young enough history is asked for.
 */
export type WindowRule = 'exempt' | 'always' | 'recent-history';

export interface QueryReader<Filter extends HistoryFilter = HistoryFilter> {
  /** The parameters as OpenAPI names them, each with its description. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Names that TPPs write for a parameter by mistake: for each parameter, all that are known. */
  readonly nearMisses: Readonly<Record<string, readonly string[]>>;
  read(query: Readonly<Record<string, unknown>>, request: QueryScope): Filter;
}

/** The part of the request that may change a query's meaning. */
export interface QueryScope {
  readonly consentId: string;
  readonly accountId: string;
  readonly nowMs: number;
  readonly cursors: PageCursors;
}

/** A mapper that needs a public id does not compile where the rule declares no ids. */
type ViewOf<Ids> = Ids extends RecordIds ? IdentifiedView : ResourceView;

/** Only an id of the record itself distinguishes the records of an account. */
type IdsOf<Read extends EndpointRead> =
  CoreRecord<Read> extends { readonly id: string } ? RecordIds : RecordIds & { readonly uniqueWithin: 'bank' };

export function declareRule<
  Name extends string,
  Read extends EndpointRead,
  Ids extends IdsOf<Read> | undefined = undefined,
  Filter extends HistoryFilter = HistoryFilter,
  Fields = unknown,
>(
  declared: Pick<EndpointRule<Name, Read>, 'name' | 'read' | 'permissions' | 'window' | 'summary'> & {
    readonly ids?: Ids;
    readonly query?: QueryReader<Filter>;
    /** A function and not a method, so that the compiler compares its parameters. */
    readonly fields: (record: CoreRecord<Read>, view: ViewOf<Ids>) => Fields | undefined;
  },
): EndpointRule<Name, Read, Ids, Filter, Fields> {
  return { ids: undefined as Ids, query: undefined, ...declared, detail: detailOf(declared.permissions) };
}
