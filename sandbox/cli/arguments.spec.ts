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
    expect(read('unlock complete').command).toEqual({ name: 'unlock', loginName: 'complete' });
    expect(read('consent --help').command).toEqual({ name: 'help' });
  });

  it('reads the commands about TPPs, whose names and redirect URIs must be fit for use', () => {
    const redirectUri = 'http://localhost:4000/callback';
    const words = ['tpp', 'new', '--name', 'Penny & Co.', '--redirect', redirectUri];
    expect(readArguments(words).command).toEqual({
      name: 'tpp new',
      tpp: { name: 'Penny & Co.', redirectUri, fapi: '1' },
    });
    expect(readArguments([...words, '--fapi', '2']).command).toMatchObject({ tpp: { fapi: '2' } });
    for (const given of [
      ['--auth', 'certificate'],
      ['--auth', 'certificate', '--fapi', '2'],
    ])
      expect(readArguments([...words, ...given]).command).toMatchObject({ tpp: { fapi: '2', auth: 'certificate' } });
    expect(readArguments([...words, '--auth', 'key']).command).toEqual(readArguments(words).command);
    expect(readArguments([...words, '--agent', 'Oak Money']).command).toMatchObject({ tpp: { agent: 'Oak Money' } });
    expect(() => readArguments([...words, '--agent', 'a"b'])).toThrow(/^--agent has up to 60/);
    expect(read('tpp list').command).toEqual({ name: 'tpp list' });
    expect(readArguments(['tpp', 'remove', 'Penny & Co.']).command).toEqual({ name: 'tpp remove', tpp: 'Penny & Co.' });
    for (const name of ['', '"', 'a"b', 'a\nb', '-', '..', '你好', 'x'.repeat(61)])
      expect(() => readArguments(['tpp', 'new', '--name', name, '--redirect', redirectUri])).toThrow(UsageError);
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
    'tpp',
    'tpp bogus',
    'tpp new',
    'tpp new --name X',
    'tpp new --redirect http://localhost:4000/',
    'tpp new --name X --redirect callback',
    'tpp new --name X --redirect http://localhost:4000/ --fapi 3',
    'tpp new --name X --redirect http://localhost:4000/ --auth password',
    'tpp new --name X --redirect http://localhost:4000/ --auth certificate --fapi 1',
    'tpp list X',
    'tpp remove',
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
