import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CoreFrequency as Frequency } from '../../../packages/core-adapter/core.records.js';
import { formatFrequency } from './frequency.js';

/** The standard's pattern, rule by rule (Frequency of OBReadStandingOrder6). */
const rules = [
  /^NotKnown$/,
  /^EvryDay$/,
  /^EvryWorkgDay$/,
  /^IntrvlDay:(0[2-9]|[12]\d|3[01])$/,
  /^IntrvlWkDay:0[1-9]:0[1-7]$/,
  /^WkInMnthDay:0[1-5]:0[1-7]$/,
  /^IntrvlMnthDay:(0[1-6]|12|24):(-0[1-5]|0[1-9]|[12]\d|3[01])$/,
  /^QtrDay:(ENGLISH|SCOTTISH|RECEIVED)$/,
];

const examples: [Frequency, string][] = [
  [{ every: 'day', interval: 1 }, 'EvryDay'],
  [{ every: 'day', interval: 2 }, 'IntrvlDay:02'],
  [{ every: 'day', interval: 31 }, 'IntrvlDay:31'],
  [{ every: 'day', interval: 32 }, 'NotKnown'],
  [{ every: 'day', interval: 0 }, 'NotKnown'],
  [{ every: 'working-day' }, 'EvryWorkgDay'],
  [{ every: 'week', interval: 1, weekday: 1 }, 'IntrvlWkDay:01:01'],
  [{ every: 'week', interval: 9, weekday: 7 }, 'IntrvlWkDay:09:07'],
  [{ every: 'week', interval: 10, weekday: 1 }, 'NotKnown'],
  [{ every: 'week', interval: 1, weekday: 0 }, 'NotKnown'],
  [{ every: 'week', interval: 1, weekday: 8 }, 'NotKnown'],
  [{ every: 'month', interval: 1, day: 1 }, 'IntrvlMnthDay:01:01'],
  [{ every: 'month', interval: 6, day: 31 }, 'IntrvlMnthDay:06:31'],
  [{ every: 'month', interval: 12, day: -1 }, 'IntrvlMnthDay:12:-01'],
  [{ every: 'month', interval: 24, day: -5 }, 'IntrvlMnthDay:24:-05'],
  [{ every: 'month', interval: 7, day: 15 }, 'NotKnown'],
  [{ every: 'month', interval: 8, day: 15 }, 'NotKnown'],
  [{ every: 'month', interval: 1, day: 0 }, 'NotKnown'],
  [{ every: 'month', interval: 1, day: 32 }, 'NotKnown'],
  [{ every: 'month', interval: 1, day: -6 }, 'NotKnown'],
  [{ every: 'month', weekOfMonth: 1, weekday: 1 }, 'WkInMnthDay:01:01'],
  [{ every: 'month', weekOfMonth: 5, weekday: 7 }, 'WkInMnthDay:05:07'],
  [{ every: 'month', weekOfMonth: 6, weekday: 7 }, 'NotKnown'],
  [{ every: 'month', weekOfMonth: -1, weekday: 7 }, 'NotKnown'],
  [{ every: 'quarter', days: 'english' }, 'QtrDay:ENGLISH'],
  [{ every: 'quarter', days: 'scottish' }, 'QtrDay:SCOTTISH'],
  [{ every: 'quarter', days: 'received' }, 'QtrDay:RECEIVED'],
  [{ every: 'other' }, 'NotKnown'],
];

const anyNumber = fc.oneof(fc.integer({ min: -10, max: 40 }), fc.double());
const anyFrequency = fc.oneof(
  fc.record({ every: fc.constant('day'), interval: anyNumber }),
  fc.record({ every: fc.constant('week'), interval: anyNumber, weekday: anyNumber }),
  fc.record({ every: fc.constant('month'), interval: anyNumber, day: anyNumber }),
  fc.record({ every: fc.constant('month'), weekOfMonth: anyNumber, weekday: anyNumber }),
  fc.record({ every: fc.constant('quarter'), days: fc.string() }),
  fc.record({ every: fc.string() }),
) as fc.Arbitrary<Frequency>;

describe('formatFrequency', () => {
  it.each(examples)('writes %j as %s', (frequency, text) => {
    expect(formatFrequency(frequency)).toBe(text);
  });

  it('writes only texts that the standard’s pattern allows, for every frequency, and never throws', () => {
    fc.assert(
      fc.property(anyFrequency, (frequency) => {
        const text = formatFrequency(frequency);
        expect(rules.filter((rule) => rule.test(text))).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });

  const specs = process.env['OBIE_SPECS'];
  (specs === undefined ? it.skip : it)('fits the official pattern (skipped unless OBIE_SPECS names its folder)', () => {
    const file = readFileSync(join(String(specs), 'v3.1.11r5', 'account-info-openapi.json'), 'utf8');
    const document = JSON.parse(file) as { components: { schemas: Record<string, { pattern?: string }> } };
    const patterns = Object.values(document.components.schemas).flatMap(({ pattern }) =>
      pattern?.includes('EvryDay') ? [new RegExp(pattern)] : [],
    );
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) {
      for (const [, text] of examples) {
        expect(text).toMatch(pattern);
      }
    }
  });
});
