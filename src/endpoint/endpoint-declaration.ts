import type { Static, TSchema } from 'typebox';
import type { CoreRecord } from '../core-banking/core-banking.js';
import type { AccountRead } from '../../packages/core-adapter/core.adapter.js';
import type { PageCursors } from '../open-banking/page-cursor.js';
import { detailOf, type Permission, type PermissionGroups } from '../open-banking/permissions.js';
import type { IdentifiedView, ResourceView } from './presentation.js';

/**
 * The whole truth of an endpoint, one object. Route, guards, envelope, serialiser, OpenAPI document, published facts,
 * preflight and the adapters' preview are derived from it. Which products have the endpoint is the profile's to say.
 */
export interface EndpointDeclaration<
  Name extends string = string,
  Read extends EndpointRead = EndpointRead,
  Schema extends TSchema = TSchema,
> {
  readonly kind: 'resource';
  /** Its name in profiles, published facts and metrics: the last word of the path. */
  readonly name: Name;
  /** Below the base path. */
  readonly path: '/accounts' | '/accounts/:AccountId' | `/accounts/:AccountId/${Name}`;
  /** The read of the core that the endpoint rests on. */
  readonly read: Read;
  /** The codes that the consent must hold. */
  readonly permissions: PermissionGroups;
  /** Of these, the code that releases the fields of Detail. */
  readonly detail: Permission | undefined;
  readonly window: WindowRule;
  /** The one key of `Data`. */
  readonly collection: string;
  /** `Data` holds one object, not an array. */
  readonly single: boolean;
  /** Schema of one item: it types, serialises and documents; a member that it does not declare cannot leave. */
  readonly schema: Schema;
  readonly ids: RecordIds | undefined;
  /** Reads the query string; throws `OpenBankingError`. Runs after the account check and before the window's. */
  readonly query: QueryReader | undefined;
  readonly summary: string;
  /** The resource of a record; `undefined` where the product does not show the record. Throws `RangeError` for a bad one. */
  map(record: CoreRecord<Read>, view: IdentifiedView): Static<Schema> | undefined;
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

export interface QueryReader {
  /** The parameters as OpenAPI names them, each with its description. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Names that TPPs write for a parameter by mistake: for each parameter, all that are known. */
  readonly nearMisses: Readonly<Record<string, readonly string[]>>;
  read(query: Readonly<Record<string, unknown>>, request: QueryScope): unknown;
}

/** The part of the request that may change a query's meaning. */
export interface QueryScope {
  readonly consentId: string;
  readonly accountId: string;
  readonly nowMs: number;
  readonly cursors: PageCursors;
}

/** The part of a `recent-history` filter that the authentication window judges. */
export interface HistoryFilter {
  /** Start of the history asked for; absent when the request names none. */
  readonly fromMs?: number;
  /** When the TPP first asked, for later pages of the same answer. */
  readonly firstAskedAtMs: number;
  /** Set where a later page of an answer is asked for. */
  readonly page?: unknown;
}

/** Only records that have an id of their own are told apart by it within their account. */
type IdsOf<Read extends EndpointRead> =
  CoreRecord<Read> extends { readonly id: string } ? RecordIds : RecordIds & { readonly uniqueWithin: 'bank' };

type Declared<Name extends string, Read extends EndpointRead, Schema extends TSchema> = Pick<
  EndpointDeclaration<Name, Read, Schema>,
  'name' | 'path' | 'read' | 'permissions' | 'window' | 'collection' | 'schema' | 'summary'
> & { readonly single?: true; readonly query?: QueryReader };

/** A function and not a method, so that a mapper that needs a public id does not compile where no ids are declared. */
type MapperOf<Read extends EndpointRead, Schema extends TSchema, View> = (
  record: CoreRecord<Read>,
  view: View,
) => Static<Schema> | undefined;

export function declareEndpoint<Name extends string, Read extends EndpointRead, Schema extends TSchema>(
  declared: Declared<Name, Read, Schema> &
    (
      | { readonly ids: IdsOf<Read>; readonly map: MapperOf<Read, Schema, IdentifiedView> }
      | { readonly ids?: never; readonly map: MapperOf<Read, Schema, ResourceView> }
    ),
): EndpointDeclaration<Name, Read, Schema> {
  return {
    single: false,
    ids: undefined,
    query: undefined,
    ...declared,
    kind: 'resource',
    detail: detailOf(declared.permissions),
  };
}
