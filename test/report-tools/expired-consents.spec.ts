import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeDays } from '../support/trail-traffic.js';
import { type Members, WrittenTrail } from '../support/written-trail.js';
import { reportCommand } from '../support/ops-command.js';

const issuer = 'https://issuer.example';
const november = '2026-11-01T00:00:00.000Z';
const noon = '2026-11-02T12:00:00.000Z';
const justBefore = '2026-11-02T11:59:59.999Z';
let numbers = 0;
const event = (consent: string, at: string, name: string, members: Members = {}): Members => ({
  kind: 'consent',
  id: `c-${++numbers}`,
  at,
  consent,
  issuer,
  tpp: 'copper-budget',
  event: name,
  by: 'customer',
  ...members,
});
const given = (consent: string, at: string, expires?: string, members: Members = {}): Members =>
  event(consent, at, 'authorised', { ...(expires !== undefined && { expires }), ...members });
const measure = (at: string, tpp: string): Members => ({
  kind: 'tpp',
  id: `t-${++numbers}`,
  at,
  event: 'consents-revoked',
  issuer,
  tpp,
  by: 'bank',
});
const early = '2026-10-31T08:00:00.000Z';

const events: readonly Members[] = [
  given('in-october', early, '2026-10-31T23:59:59.999Z'),
  given('at-the-turn', early, november),
  given('at-noon', early, noon),
  given('without-term', early),
  given('later', early, '2026-12-24T00:00:00.000Z'),
  event('never-approved', early, 'created', { expires: noon }),
  event('never-approved', '2026-11-01T08:00:00.000Z', 'abandoned', { reason: 'not-authorised-in-time' }),
  event('not-completed', early, 'created'),
  event('not-completed', '2026-10-31T09:00:00.000Z', 'abandoned', { reason: 'not-completed' }),
  given('revoked-before', early, noon),
  event('revoked-before', justBefore, 'revoked', { expires: noon }),
  given('revoked-then', early, noon),
  event('revoked-then', noon, 'revoked', { expires: noon }),
  given('revoked-too-late', early, noon),
  event('revoked-too-late', '2026-11-02T12:00:00.001Z', 'revoked', { expires: noon }),
  given('deleted', early, noon),
  event('deleted', '2026-11-01T08:00:00.000Z', 'deleted'),
  given('given-again', early, noon),
  event('given-again', '2026-11-01T08:00:00.000Z', 'revoked', { expires: noon }),
  event('given-again', '2026-11-01T09:00:00.000Z', 'reauthenticated', { expires: noon }),
  given('of-an-old-release', early),
  event('of-an-old-release', '2026-11-01T09:00:00.000Z', 'reauthenticated', { expires: noon }),
  given('measured', early, noon, { tpp: 'silver-rent' }),
  measure('2026-11-01T08:00:00.000Z', 'silver-rent'),
  given('after-the-measure', '2026-11-01T09:00:00.000Z', noon, { tpp: 'silver-rent' }),
  given('measured-too-late', early, noon, { tpp: 'tin-tax' }),
  measure('2026-11-02T13:00:00.000Z', 'tin-tax'),
];

describe('the consents that expired', () => {
  let trail: WrittenTrail;
  let out: string;
  beforeAll(async () => {
    [trail, out] = [await WrittenTrail.make(), await mkdtemp(join(tmpdir(), 'reports-'))];
    const span = { from: '2026-10-31T00:00:00.000Z', to: '2026-11-04T00:00:00.000Z' };
    // Two processes write each day's events in turn.
    await writeDays(trail, span, [], (day) => events.filter(({ at }) => String(at).startsWith(day)));
  });
  afterAll(async () => {
    await trail.remove();
    await rm(out, { recursive: true });
  });
  const report = async (...words: string[]) => {
    const { code, text, told } = await reportCommand(
      '2026-11-04T09:00:00Z',
      ...words,
      '--trail',
      trail.folder,
      '--json',
    );
    if (code !== 0) throw new Error(told.join());
    return JSON.parse(text);
  };

  it('are those that gave access until their term, each once, on the day of the term', async () => {
    const { value, events: behind } = await report('explain', 'consents-expired', '--day', '2026-11-02');
    expect(behind.map(({ consent }: { consent: string }) => consent).sort()).toEqual([
      'after-the-measure',
      'at-noon',
      'given-again',
      'measured-too-late',
      'of-an-old-release',
      'revoked-too-late',
    ]);
    expect(value).toBe(6);
    expect(new Set(behind.map(({ at }: { at: string }) => at))).toEqual(new Set([noon]));
  });

  it('are explained by the events that last gave the access', async () => {
    const { events: behind } = await report('explain', 'consents-expired', '--day', '2026-11-02');
    const last = events.find(({ consent, event: name }) => consent === 'given-again' && name === 'reauthenticated');
    expect(behind.find(({ consent }: { consent: string }) => consent === 'given-again')).toMatchObject({
      id: last?.['id'],
    });
  });

  it('belong to the day whose first instant is their term, and are apart from those that were not authorised in time', async () => {
    for (const [day, expired, neverBegun, abandoned] of [
      ['2026-10-31', 1, 0, 1],
      ['2026-11-01', 1, 1, 0],
    ] as const) {
      const { groups } = await report('figures', '--from', day, '--to', day);
      expect([day, groups.consent_changes[0]]).toEqual([
        day,
        expect.objectContaining({
          'consents-expired': expired,
          'consents-never-begun': neverBegun,
          'consents-abandoned': abandoned,
        }),
      ]);
    }
  });

  it('balance the management information: outstanding, new, revoked and expired', async () => {
    const { tabs } = await report('mi', '--month', '2026-11', '--out', out);
    const { rows } = tabs.find(({ name }: { name: string }) => name === 'PSU Consent Adoption');
    // Twelve at the start: two were withdrawn before their term, one with it, one was deleted and one met the measure.
    expect(rows).toMatchObject([
      {
        'Long-lived: outstanding at start': 12,
        'Long-lived: new': 1,
        'Long-lived: expired': 7,
        'Long-lived: outstanding at end': 2,
      },
    ]);
  });
});
