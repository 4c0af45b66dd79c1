import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ajvModule from 'ajv/dist/2020.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { closed } from './own-openapi.js';
import { trailEvents } from './read-trail.js';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
}

const schema = JSON.parse(readFileSync(join(packageRoot(), 'docs/trail-event.schema.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, ObjectSchema>>;
};
const { Ajv2020 } = ajvModule;
const ajv = new Ajv2020({ allErrors: true });
// A reader takes members that the schema does not have; a gateway of this version writes none.
const validators = new Map(
  Object.entries(schema.$defs).map(([name, kind]) => [name, ajv.compile(closed(kind) as object)]),
);

/** The faults of events by docs/trail-event.schema.json, each with the id of its event. */
export function schemaFaults(events: readonly object[]): string[] {
  return events.flatMap((event) => {
    const { kind = '', id, tooLong } = event as { kind?: string; id?: string; tooLong?: boolean };
    const name = tooLong === true ? 'TooLongEvent' : `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Event`;
    const validate = validators.get(name);
    if (validate === undefined) return [`${id}: the schema has no ${name}`];
    validate(event);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${id}: ${kind}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  });
}

/** @throws Error that names the faults of a gateway’s events */
export async function checkTrail(directory: string): Promise<void> {
  // A test may remove the folder.
  const faults = existsSync(directory) ? schemaFaults(await trailEvents(directory)) : [];
  if (faults.length > 0)
    throw new Error(`events do not match docs/trail-event.schema.json:\n${faults.slice(0, 10).join('\n')}`);
}
