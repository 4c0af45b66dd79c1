import { describe, expect, it } from '@jest/globals';
import { UsageError, readArguments } from './arguments.js';

const read = (line: string) => readArguments(line === '' ? [] : line.split(' '));

describe('the command line', () => {
  it('reads each command', () => {
    expect(read('personas')).toEqual({ command: { name: 'personas' }, json: false });
    expect(read('personas --json').json).toBe(true);
    expect(read('reauthenticate c-1 --json').command).toEqual({ name: 'reauthenticate', consentId: 'c-1' });
    expect(read('--json revoke c-1').command).toEqual({ name: 'revoke', consentId: 'c-1' });
    expect(read('account A1 --state not-permitted').command).toEqual({
      name: 'account',
      ref: 'A1',
      state: 'not-permitted',
    });
    expect(read('core --fault=garbage').command).toEqual({ name: 'core', fault: 'garbage' });
    expect(read('consent --help').command).toEqual({ name: 'help' });
  });

  it('reads a consent with everything left to the defaults', () => {
    expect(read('consent --persona saver').command).toEqual({
      name: 'consent',
      options: { persona: 'saver', permissions: 'all', accounts: 'all', authenticatedAgoMs: 0 },
    });
  });

  it('reads a consent with everything said; a plain day is its beginning', () => {
    const line =
      'consent --persona saver --permissions ReadBalances,ReadParty --accounts A1,A2 --authenticated-ago 6m --from 2026-01-31 --to 2026-02-01T10:00:00Z --expires 2027-01-01';
    expect(read(line).command).toEqual({
      name: 'consent',
      options: {
        persona: 'saver',
        permissions: ['ReadBalances', 'ReadParty'],
        accounts: ['A1', 'A2'],
        authenticatedAgoMs: 360_000,
        from: '2026-01-31T00:00:00+00:00',
        to: '2026-02-01T10:00:00Z',
        expires: '2027-01-01T00:00:00+00:00',
      },
    });
  });

  it.each([
    ['30s', 30_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('understands %s ago', (ago, ms) => {
    expect(read(`consent --persona saver --authenticated-ago ${ago}`).command).toMatchObject({
      options: { authenticatedAgoMs: ms },
    });
  });

  it.each([
    '',
    'bogus',
    '--frob',
    'personas extra',
    'personas --persona x',
    'consent',
    'consent --persona',
    'consent --persona saver --state valid',
    'consent --persona saver --authenticated-ago 6x',
    'consent --persona saver --authenticated-ago -5m',
    'revoke',
    'revoke a b',
    'account A1',
    'account A1 --state odd',
    'account --state valid',
    'core',
    'core --fault odd',
    'core none',
  ])('refuses "%s" in one line', (line) => {
    let said = '';
    try {
      read(line);
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      said = (error as UsageError).message;
    }
    expect(said).toMatch(/^[^\n]{10,150}$/);
  });
});
