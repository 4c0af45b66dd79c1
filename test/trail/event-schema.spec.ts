import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { eventVersion } from '../../src/trail/event.js';
import { asJson, EventLines } from '../../src/trail/event-lines.js';
import { eventPage, eventPageFile } from '../../tools/build/event-page.js';
import { eventSchema, schemaFile } from '../../tools/build/event-schema.js';
import { schemaFaults } from '../support/event-schema.js';

const written = {
  v: eventVersion,
  seq: 2,
  instance: 'gateway-1-11111111',
  release: '0.1.0',
  id: 'r-1',
  at: '2026-11-24T14:03:00.000Z',
};
const request = { ...written, kind: 'request', listener: 'api', status: 200 };

describe('docs/operate/trail-events.md', () => {
  const page = readFileSync(eventPageFile, 'utf8');

  it('is the page of the types in src/trail/event.ts: npm run event-schema writes it', () => {
    expect(page).toBe(eventPage());
  });

  it('says of each member what it is, or its values', () => {
    expect(page).not.toMatch(/^\| `\S+` \| *\| *\|$/m);
  });
});

describe('docs/trail-event.schema.json', () => {
  it('is the schema of the types in src/trail/event.ts: npm run event-schema writes it', () => {
    expect(JSON.parse(readFileSync(schemaFile, 'utf8'))).toEqual(eventSchema());
  });

  it('takes an event of each form, and the line of one that is too long', () => {
    const lines = new EventLines(written.instance, written.release, Buffer.from('the key of the lines of withdrawals'));
    const tpp = 'x'.repeat(20_000);
    const line = lines.make(
      { events: 2, withdrawals: 0 },
      [asJson({ kind: 'tpp', event: 'changed', by: 'tpp', id: 't', at: written.at, tpp })],
      '"lost":2,',
    );
    expect(JSON.parse(line)).toHaveProperty('tooLong');
    const facts = { permissionsHeld: ['ReadBalances'], permissionsNeeded: [['ReadBalances'], ['ReadAccountsBasic']] };
    const events = [
      request,
      { ...request, refusedBy: 'permission', reason: 'permission-missing', attended: true, facts },
      { ...written, kind: 'operator', command: 'migrate', by: 'operator:maria', outcome: 'done', target: {} },
      JSON.parse(line) as object,
      JSON.parse(
        lines.make(
          { events: 2, withdrawals: 0 },
          [asJson({ kind: 'withdrawal', id: 'w', at: written.at, event: 'tpp-deleted', tpp: 't' })],
          '',
        ),
      ) as object,
    ];
    expect(schemaFaults(events)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['of another version', { ...request, v: eventVersion + 1 }, '/v must be equal to constant'],
    ['of an unknown kind', { ...request, kind: 'quota' }, 'the schema has no QuotaEvent'],
    ['with an undocumented member', { ...request, address: '192.0.2.1' }, 'must NOT have additional properties'],
    ['with an undocumented fact', { ...request, facts: { balance: 1 } }, '/facts must NOT have additional properties'],
    ['with an unknown reason', { ...request, reason: 'moon-too-full' }, '/reason must be equal to one of the allowed'],
    ['with a member of another type', { ...request, status: '200' }, '/status must be number'],
    ['with null for an absent member', { ...request, tpp: null }, '/tpp must be string'],
    ['without its time', { ...request, at: undefined }, "must have required property 'at'"],
  ])('refuses an event %s', (_, event, fault) => {
    expect(schemaFaults([JSON.parse(JSON.stringify(event)) as object]).join('\n')).toContain(fault);
  });
});
