import { describe, expect, it } from '@jest/globals';
import { UsageError } from './arguments.js';
import { readCommand } from './commands.js';

const read = (line: string) => readCommand(line === '' ? [] : line.split(' '));

describe('the command line', () => {
  it.each<[string, object]>([
    ['personas', { name: 'personas', json: false }],
    ['personas --json', { name: 'personas', json: true }],
    ['reauthenticate c-1 --json', { name: 'reauthenticate', given: 'c-1', json: true }],
    ['--json revoke c-1', { name: 'revoke', given: 'c-1', json: true }],
    ['account A1 --state not-permitted', { name: 'account', given: { ref: 'A1', state: 'not-permitted' } }],
    ['core --fault=garbage', { name: 'core', given: 'garbage' }],
    ['clock 5m', { name: 'clock', given: 300_000 }],
    ['unlock complete', { name: 'unlock', given: 'complete' }],
    ['journey --persona saver', { name: 'journey', given: { persona: 'saver', wait: false } }],
    ['journey --persona saver --wait', { name: 'journey', given: { persona: 'saver', wait: true } }],
    ['consent --help', { name: 'help' }],
    ['help consent', { name: 'help' }],
    ['consent --version', { name: 'version' }],
  ])('reads %s', (line, expected) => {
    expect(read(line)).toMatchObject(expected);
  });

  it('reads the commands about TPPs, whose names and redirect URIs must be fit for use', () => {
    const redirectUri = 'http://localhost:4000/callback';
    const words = ['tpp', 'new', '--name', 'Penny & Co.', '--redirect', redirectUri];
    expect(readCommand(words)).toMatchObject({ name: 'tpp new' });
    expect(readCommand(words).given).toEqual({ name: 'Penny & Co.', redirectUri, fapi: '1' });
    expect(readCommand([...words, '--fapi', '2']).given).toMatchObject({ fapi: '2' });
    for (const given of [
      ['--auth', 'certificate'],
      ['--auth', 'certificate', '--fapi', '2'],
    ])
      expect(readCommand([...words, ...given]).given).toMatchObject({ fapi: '2', auth: 'certificate' });
    expect(readCommand([...words, '--auth', 'key']).given).toEqual(readCommand(words).given);
    expect(readCommand([...words, '--agent', 'Oak Money']).given).toMatchObject({ agent: 'Oak Money' });
    expect(() => readCommand([...words, '--agent', 'a"b'])).toThrow(/^--agent has up to 60/);
    expect(read('tpp list')).toMatchObject({ name: 'tpp list' });
    expect(() => read('tpp')).toThrow('tpp is the first word of: tpp new, tpp list, tpp remove');
    expect(() => read('tp')).toThrow('there is no command tp, see: sandbox help');
    expect(readCommand(['tpp', 'remove', 'Penny & Co.'])).toMatchObject({ name: 'tpp remove', given: 'Penny & Co.' });
    for (const name of ['', '"', 'a"b', 'a\nb', '-', '..', '你好', 'x'.repeat(61)])
      expect(() => readCommand(['tpp', 'new', '--name', name, '--redirect', redirectUri])).toThrow(UsageError);
  });

  it('reads a consent with everything left to the defaults', () => {
    const defaults = { persona: 'saver', authenticatedAgoMs: 0 };
    expect(read('consent --persona saver').given).toEqual(defaults);
    expect(read('consent --persona saver --permissions all --accounts all').given).toEqual(defaults);
  });

  it('reads a customer by the core’s reference in place of a persona', () => {
    expect(read('consent --customer C1001').given).toMatchObject({ persona: 'C1001' });
    expect(read('journey --customer C1001').given).toEqual({ persona: 'C1001', wait: false });
    for (const name of ['consent', 'journey']) {
      expect(() => read(name)).toThrow(`${name} needs --persona NAME or --customer REF, see: sandbox personas`);
      expect(() => read(`${name} --persona saver --customer C1001`)).toThrow(
        `${name} takes --persona or --customer, not both`,
      );
    }
  });

  it('reads a consent with everything said; a plain day is its beginning', () => {
    const line =
      'consent --persona saver --permissions ReadBalances,ReadParty --accounts A1,A2 --authenticated-ago 6m --from 2026-01-31 --to 2026-02-01T10:00:00Z --expires 2027-01-01';
    expect(read(line).given).toEqual({
      persona: 'saver',
      permissions: ['ReadBalances', 'ReadParty'],
      accounts: ['A1', 'A2'],
      authenticatedAgoMs: 360_000,
      from: '2026-01-31T00:00:00+00:00',
      to: '2026-02-01T10:00:00Z',
      expires: '2027-01-01T00:00:00+00:00',
    });
  });

  it.each([
    ['30s', 30_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('understands %s ago', (ago, ms) => {
    expect(read(`consent --persona saver --authenticated-ago ${ago}`).given).toMatchObject({ authenticatedAgoMs: ms });
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
    'clock',
    'clock 5x',
    'clock -5m',
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
