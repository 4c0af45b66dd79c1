import { describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../src/command-line/command-line.js';
import { UsageError } from '../../src/command-line/command.js';
import { sandboxProgram } from './program.js';
import { consentOptions, durationMs, newTpp, personaIn } from './values.js';

/** The exit code, and each line that the command line shows. No command gets as far as the stack. */
async function typed(line: string): Promise<{ code: number; said: string[]; complaints: string[] }> {
  const said: string[] = [];
  const complaints: string[] = [];
  const stack = () => Promise.reject(new Error(`${line} asked for the stack`));
  const code = await runCommandLine(
    ({ answer, note }) => sandboxProgram({ stack, answer, note }),
    line === '' ? [] : line.split(' '),
    (text) => said.push(text),
    (complaint) => complaints.push(complaint),
  );
  return { code, said, complaints };
}

describe('the command line', () => {
  it('names the nearest command', async () => {
    expect((await typed('tpp lst')).complaints).toEqual([
      "unknown command 'lst' (Did you mean list?), see: npm run sandbox -- tpp --help",
    ]);
    expect((await typed('tpp')).complaints).toEqual([
      'name a command: new, list, remove, see: npm run sandbox -- tpp --help',
    ]);
  });

  it('shows its version and its commands without a stack', async () => {
    expect((await typed('--version')).said).toEqual([
      expect.stringMatching(/^account-information-gateway \d+\.\d+\.\d+$/),
    ]);
    const { said } = await typed('help');
    expect((await typed('--help')).said).toEqual(said);
    for (const form of [
      'personas',
      'consent',
      'funds',
      'reauthenticate <CONSENT>',
      'revoke <CONSENT>',
      'account <REF> --state <S>',
      'core --fault <F>',
      'clock <DURATION>',
      'unlock <NAME>',
      'journey',
      'tpp new --name <NAME> --redirect <URI>',
    ])
      expect(said[0]).toContain(`\n  ${form}  `);
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
    'consent --persona saver --customer C1001',
    'consent --persona saver --authenticated-ago 6x',
    'consent --persona saver --authenticated-ago -5m',
    'consent --persona saver --api v2.0',
    'funds',
    'funds --persona saver --api v2.0',
    'journey',
    'journey --persona saver --customer C1001',
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
  ])('refuses "%s" in one line', async (line) => {
    expect(await typed(line)).toEqual({
      code: 2,
      said: [],
      complaints: [expect.stringMatching(/^[^\n]{10,220}, see: npm run sandbox -- .*--help$/)],
    });
  });
});

describe('the words of a command', () => {
  it('about a TPP must have a name and a redirect URI that are fit for use', () => {
    const redirect = 'http://localhost:4000/callback';
    const words = { name: 'Penny & Co.', redirect };
    expect(newTpp(words)).toEqual({ name: 'Penny & Co.', redirectUri: redirect, fapi: '1' });
    expect(newTpp({ ...words, fapi: '2' })).toMatchObject({ fapi: '2' });
    for (const given of [{ auth: 'certificate' }, { auth: 'certificate', fapi: '2' }])
      expect(newTpp({ ...words, ...given })).toMatchObject({ fapi: '2', auth: 'certificate' });
    expect(newTpp({ ...words, auth: 'key' })).toEqual(newTpp(words));
    expect(newTpp({ ...words, api: 'v3.1' })).toMatchObject({ api: 'v3.1' });
    expect(newTpp({ ...words, funds: true })).toMatchObject({ scope: 'fundsconfirmations' });
    expect(newTpp({ ...words, agent: 'Oak Money' })).toMatchObject({ agent: 'Oak Money' });
    expect(() => newTpp({ ...words, agent: 'a"b' })).toThrow(/^--agent has up to 60/);
    for (const name of ['', '"', 'a"b', 'a\nb', '-', '..', '你好', 'x'.repeat(61)])
      expect(() => newTpp({ name, redirect })).toThrow(UsageError);
  });

  it('about a consent may leave everything to the defaults', () => {
    const defaults = { persona: 'saver', authenticatedAgoMs: 0 };
    expect(consentOptions({ persona: 'saver' })).toEqual(defaults);
    expect(consentOptions({ persona: 'saver', permissions: 'all', accounts: 'all' })).toEqual(defaults);
  });

  it('name a customer by the core’s reference in place of a persona', () => {
    expect(personaIn({ customer: 'C1001' })).toBe('C1001');
    for (const words of [{}, { persona: '' }]) expect(() => personaIn(words)).toThrow(UsageError);
  });

  it('about a consent may say everything; a plain day is its beginning', () => {
    expect(
      consentOptions({
        persona: 'saver',
        permissions: 'ReadBalances,ReadParty',
        accounts: 'A1,A2',
        authenticatedAgo: '6m',
        from: '2026-01-31',
        to: '2026-02-01T10:00:00Z',
        expires: '2027-01-01',
      }),
    ).toEqual({
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
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('say a duration like %s', (duration, ms) => {
    expect(durationMs('clock', duration)).toBe(ms);
  });
});
