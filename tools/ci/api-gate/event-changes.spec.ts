import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../src/persistence/package-root.js';
import { silentEventChanges } from './event-changes.js';

interface Kind {
  required: string[];
  properties: Record<string, Record<string, unknown>>;
}
interface EventSchema extends Record<string, unknown> {
  $defs: Record<string, Kind>;
}

const present = (): EventSchema =>
  JSON.parse(readFileSync(join(packageRoot(), 'docs/trail-event.schema.json'), 'utf8')) as EventSchema;
const kind = (schema: EventSchema, name: string): Kind => {
  const found = schema.$defs[name];
  if (found === undefined) throw new Error(`the schema has no ${name}`);
  return found;
};

function changes(change: (schema: EventSchema) => unknown): string[] {
  const now = present();
  change(now);
  return silentEventChanges(present(), now).map(({ rule, place }) => `${rule} ${place}`);
}

describe('a change of the trail’s events within a version', () => {
  it.each<[string, (schema: EventSchema) => unknown]>([
    ['nothing changes', () => undefined],
    ['a kind is new', (schema) => (schema.$defs['QuotaEvent'] = kind(schema, 'TppEvent'))],
    ['an optional member is new', (schema) => (kind(schema, 'TppEvent').properties['note'] = { type: 'string' })],
    ['a reason is new', (schema) => valuesOf(schema, 'RequestEvent', 'reason').push('moon-too-full')],
    ['a member is explained', (schema) => (kind(schema, 'TppEvent').properties['note'] = { description: 'A note.' })],
  ])('is compatible where %s', (_, change) => {
    expect(changes(change)).toEqual([]);
  });

  it.each<[string, (schema: EventSchema) => unknown, string]>([
    ['a kind goes', (schema) => Reflect.deleteProperty(schema.$defs, 'TppEvent'), 'kind-removed TppEvent'],
    [
      'a member goes',
      (schema) => Reflect.deleteProperty(kind(schema, 'RequestEvent').properties, 'reason'),
      'property-removed RequestEvent.reason',
    ],
    [
      'a member gets another type',
      (schema) => (kind(schema, 'RequestEvent').properties['status'] = { type: 'string' }),
      'type-changed RequestEvent.status',
    ],
    [
      'a member becomes required, which older events lack',
      (schema) => kind(schema, 'RequestEvent').required.push('status'),
      'property-became-required RequestEvent.status',
    ],
    [
      'a required member becomes optional',
      (schema) => kind(schema, 'ConsentEvent').required.splice(kind(schema, 'ConsentEvent').required.indexOf('by'), 1),
      'property-became-optional ConsentEvent.by',
    ],
    [
      'a reason goes, which older events have',
      (schema) => valuesOf(schema, 'RequestEvent', 'reason').pop(),
      'enum-value-removed RequestEvent.reason',
    ],
    [
      'a fact of a check goes',
      (schema) =>
        Reflect.deleteProperty(kind(schema, 'RequestEvent').properties['facts']?.['properties'] as object, 'windowS'),
      'property-removed RequestEvent.facts.windowS',
    ],
  ])('is incompatible where %s', (_, change, expected) => {
    expect(changes(change)).toEqual([expected]);
  });

  it('is free with a new version, which each event states', () => {
    const next = (schema: EventSchema): void => {
      for (const { properties } of Object.values(schema.$defs)) properties['v'] = { const: 2 };
      Reflect.deleteProperty(schema.$defs, 'TppEvent');
    };
    expect(changes(next)).toEqual([]);
  });
});

function valuesOf(schema: EventSchema, name: string, member: string): unknown[] {
  return kind(schema, name).properties[member]?.['enum'] as unknown[];
}
