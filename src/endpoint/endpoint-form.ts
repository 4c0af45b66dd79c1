import type { Static, TSchema } from 'typebox';
import type { CoreRecord } from '../core-banking/core-record.js';
import type { HistoryFilter } from '../request/request-context.js';
import type { EndpointRead, EndpointRule, RecordIds } from './endpoint-rule.js';
import type { IdentifiedView } from './presentation.js';

/** An endpoint as one version of the API has it. Versions that do not differ in it share one form. */
export interface EndpointForm<Read extends EndpointRead = EndpointRead, Schema extends TSchema = TSchema> {
  readonly rule: EndpointRule<string, Read>;
  /** Below the version's base path. */
  readonly path: EndpointPath;
  /** The one key of `Data`. */
  readonly collection: string;
  /** `Data` holds one object, not an array. */
  readonly single: boolean;
  /** Schema of one item: it types, serialises and documents; a member that it does not declare cannot leave. */
  readonly schema: Schema;
  /** The resource of a record; `undefined` where the product or the version does not show the record. Throws `RangeError` for a bad one. */
  map(record: CoreRecord<Read>, view: IdentifiedView): Static<Schema> | undefined;
}

export type EndpointPath = '/accounts' | `/accounts/:AccountId${'' | `/${string}`}`;

/** @param declared `words`: the fields of the rule as the resource of this version */
export function declareForm<
  Read extends EndpointRead,
  Ids extends RecordIds | undefined,
  Filter extends HistoryFilter,
  Fields,
  Schema extends TSchema,
>(
  rule: EndpointRule<string, Read, Ids, Filter, Fields>,
  declared: Pick<EndpointForm<Read, Schema>, 'path' | 'collection' | 'schema'> & {
    readonly single?: true;
    /** `undefined` where the version has no word for the record. */
    readonly words: (fields: NonNullable<Fields>) => Static<Schema> | undefined;
  },
): EndpointForm<Read, Schema> {
  const { path, collection, schema, single = false, words } = declared;
  return {
    rule,
    path,
    collection,
    schema,
    single,
    map: (record, view) => {
      const fields = rule.fields(record, view);
      return fields === undefined ? undefined : words(fields as NonNullable<Fields>);
    },
  };
}
