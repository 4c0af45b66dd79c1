import { isDeepStrictEqual } from 'node:util';
import { compareSchemas, objectOf, type BreakingChange, type Json } from './schema-changes.js';

/** A reader shows a value that it does not know, as docs/operate/trail.md says: a list of values may grow. */
const allowed = 'response-enum-value-added';

/**
 * The changes of the schema of the trail’s events that the version of the schema does not state. A reader of the present version
 * reads the events that older gateways wrote, and a reader of the release those of the present gateway: so the schema is
 * compared in both directions.
 * @returns nothing where the version is another: readers see it in each event
 */
export function silentEventChanges(old: Json, now: Json): readonly BreakingChange[] {
  const version = versionOf(now);
  if (version.length > 0 && !isDeepStrictEqual(versionOf(old), version)) return [];
  const found = new Map<string, BreakingChange>();
  const report = (name: string, place: string): void => {
    const rule = name.replace(/^(request|response)-/, '');
    if (name !== allowed) found.set(`${rule} ${place}`, { rule, place });
  };
  const definitions = objectOf(now['$defs']);
  for (const [kind, schema] of Object.entries(objectOf(old['$defs']))) {
    if (!Object.hasOwn(definitions, kind)) report('kind-removed', kind);
    else
      for (const direction of ['request', 'response'] as const)
        compareSchemas(
          { document: old, schema },
          { document: now, schema: definitions[kind] },
          kind,
          direction,
          report,
        );
  }
  return [...found.values()];
}

/** The `v` of each kind of event. */
function versionOf(schema: Json): readonly unknown[] {
  const versions = Object.values(objectOf(schema['$defs'])).map((kind) => {
    const { v } = objectOf(objectOf(kind)['properties']);
    return objectOf(v)['const'];
  });
  return [...new Set(versions)];
}
