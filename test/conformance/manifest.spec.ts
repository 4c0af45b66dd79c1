import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiVersion } from '../../src/endpoint/api-version.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import { versions } from '../../src/versions/versions.js';
import { AsksForFunds, debtorOf } from '../funds/asks-for-funds.js';
import { allPermissions, Stack, type Answer, type Request } from '../support/stack.js';

/** A script of a functional-conformance manifest: the members that this runner reads. */
interface Script {
  readonly id: string;
  readonly description: string;
  readonly method: string;
  readonly uri: string;
  readonly uriImplementation?: 'mandatory' | 'conditional' | 'optional';
  /**
   * Values of `$name` in the other members; a value may name a second value, or one of the context. With `requestConsent`
   * "true", the customer approves the consent for confirmation of funds that the script creates and keeps.
   */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly queryParameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The scripts of `FundsConfirmation` have tokens without naming permissions. */
  readonly resource?: string;
  /** Without them, and without an `Authorization` header, the request has no token. */
  readonly permissions?: readonly string[];
  readonly 'permissions-excluded'?: readonly string[];
  /** Each must hold. */
  readonly asserts?: readonly string[];
  /** One must hold. */
  readonly asserts_one_of?: readonly string[];
  /** The name, for later scripts, of the value at a path of the answer. */
  readonly keepContextOnSuccess?: { readonly name: string; readonly value: string };
  /** A failure is a warning. */
  readonly warning?: boolean;
}

interface Assertion {
  readonly expect: { readonly 'status-code'?: number; readonly matches?: readonly Match[] };
}

type Match = Readonly<
  Partial<Record<'header' | 'header-present' | 'JSON' | 'JSON-NOT-PRESENT' | 'value' | 'Value' | 'regex', string>>
>;

interface Manifest {
  readonly scripts: readonly Script[];
  readonly assertions: Readonly<Record<string, Assertion>>;
  /** Texts that scripts name as values. */
  readonly bodies: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly id: string;
  /** `not served`: a path that a bank need not implement, and that it answers with 404. */
  readonly outcome: 'passed' | 'failed' | 'warning' | 'not served';
  /** The expected value, and the found one. */
  readonly faults: readonly string[];
}

/** The bank under test. */
interface Tested {
  /** A token of a consent with as many permissions as the bank accepts, but for the excluded ones. */
  token(excluded: readonly string[]): Promise<string>;
  /** Approves a consent for confirmation of funds as its customer. Resolves to a token that is bound to it. */
  approve(consentId: string): Promise<string>;
  ask(path: string, request: Request): Promise<Answer>;
}

const folder = process.env['OBIE_MANIFESTS'];
const files =
  folder === undefined ? [] : readdirSync(folder).filter((file) => /(accounts_transactions|cbpii)_/.test(file));

/** The end of the ids of a script that says of the optional `/transactions` that every bank must serve it. */
const wrongScript = '-TRA-105600';

const here = (name: string): string => join(import.meta.dirname, 'manifests', name);

describe('the functional-conformance manifests', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  async function run(manifest: Manifest, { basePath }: ApiVersion): Promise<readonly Outcome[]> {
    const all = allPermissions(stack.config.profile);
    const { accountId } = await stack.consent({ persona: 'complete' });
    const tokens = new Map<string, Promise<{ token: string }>>();
    const context = { consentedAccountId: accountId('CurrentAccount'), client_access_token: await stack.clientToken() };
    return runManifest(manifest, context, {
      token: async (excluded) => {
        const permissions = all.filter((code) => !excluded.includes(code));
        const key = permissions.join();
        tokens.set(key, tokens.get(key) ?? stack.consent({ persona: 'complete', permissions }));
        return (await tokens.get(key))?.token ?? '';
      },
      approve: () =>
        Promise.reject(new Error('a manifest of account information has a consent for confirmation of funds')),
      ask: (path, request) => stack.ask(`${basePath}${path}`, request),
    });
  }

  async function runFunds(manifest: Manifest, version: ApiVersion): Promise<readonly Outcome[]> {
    const tpp = new AsksForFunds(stack, version);
    const { DebtorAccount } = debtorOf(stack, 'joint');
    const context = {
      today: new Date(stack.clock.nowMs()).toISOString(),
      funds_client_access_token: await tpp.clientToken(),
      cbpiiDebtorAccountSchemeName: DebtorAccount.SchemeName,
      cbpiiDebtorAccountIdentification: DebtorAccount.Identification,
      cbpiiDebtorAccountName: DebtorAccount.Name,
      instructedAmountValue: '1.00',
      instructedAmountCurrency: 'GBP',
    };
    return runManifest(manifest, context, {
      token: () => Promise.reject(new Error('a script for confirmation of funds names permissions')),
      approve: (consentId) => tpp.approved(consentId, 'joint'),
      ask: (path, request) => stack.ask(`${version.fundsPath}${path}`, request),
    });
  }

  it.each([...versions])('run on $name: a small one passes, and names each failure', async (version) => {
    const outcomes = await run(readManifest(here('small.json'), here('assertions.json')), version);
    expect(outcomes).toEqual([
      { id: 'unknown-path', outcome: 'passed', faults: [] },
      { id: 'one-account', outcome: 'passed', faults: [] },
      { id: 'no-token', outcome: 'passed', faults: [] },
      { id: 'permission-excluded', outcome: 'passed', faults: [] },
      { id: 'create-consent', outcome: 'passed', faults: [] },
      { id: 'read-consent', outcome: 'passed', faults: [] },
      { id: 'bulk', outcome: 'not served', faults: ['expected 200, found 404'] },
      { id: 'wrong-status', outcome: 'failed', faults: ['expected 401, found 200'] },
      {
        id: 'wrong-alternatives',
        outcome: 'warning',
        faults: ['expected 401, found 200', 'expected no Data.Account', 'the assertion Unknown is in no file'],
      },
    ]);
  });

  it.each([
    { ...v3_1, version: v3_1, words: { awaiting: 'AwaitingAuthorisation', authorised: 'Authorised' } },
    { ...v4_0, version: v4_0, words: { awaiting: 'AWAU', authorised: 'AUTH' } },
  ])(
    'run on $name: a small one for confirmation of funds passes, but for a deleted consent',
    async ({ version, words }) => {
      const manifest = readManifest(here('funds.json'), here('assertions.json'), here('bodies.json'));
      const scripts = manifest.scripts.map((script) => ({ ...script, parameters: { ...script.parameters, ...words } }));
      const outcomes = await runFunds({ ...manifest, scripts }, version);
      expect(outcomes).toEqual([
        ...scripts.slice(0, -1).map(({ id }) => ({ id, outcome: 'passed', faults: [] })),
        { id: 'deleted', outcome: 'failed', faults: ['expected 200, found 400'] },
      ]);
    },
  );

  const official = files.length === 0 ? it.skip : it;
  official.each(files.length === 0 ? ['SKIPPED, because OBIE_MANIFESTS does not name their folder'] : files)(
    'of the standard pass: %s',
    async (file) => {
      const version = versions.find(({ name }) => file.includes(`_${name.slice(1)}_`)) as ApiVersion;
      const [manifest = '', ...references] = [file, 'assertions.json', 'data.json'].map((name) =>
        join(folder ?? '', name),
      );
      const runs = file.includes('cbpii') ? runFunds : run;
      const outcomes = await runs(readManifest(manifest, ...references.filter(existsSync)), version);
      expect(outcomes.filter(({ id, outcome }) => outcome === 'failed' && !id.endsWith(wrongScript))).toEqual([]);
    },
  );
});

/** @param manifest path of a file with `scripts` @param references paths of the files with its assertions and bodies */
function readManifest(manifest: string, ...references: readonly string[]): Manifest {
  const parsed = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
  const all = references.flatMap((file) =>
    Object.entries(
      (parsed(file) as { references: Readonly<Record<string, Partial<Assertion> & { body?: unknown }>> }).references,
    ),
  );
  return {
    scripts: (parsed(manifest) as { scripts: Script[] }).scripts,
    assertions: Object.fromEntries(all.flatMap(([name, { expect }]) => (expect ? [[name, { expect }]] : []))),
    bodies: Object.fromEntries(all.flatMap(([name, { body }]) => (body ? [[name, JSON.stringify(body)]] : []))),
  };
}

/**
 * Runs the scripts in their order. A script gets the permissions that it excludes left out of the token, rather than only the
 * permissions that it names: so a bank serves the whole manifest with few consents, as the official suite does.
 * @param context values of `$name`. `today` is the moment of the run, `funds_client_access_token` the TPP's own token for
 * confirmation of funds.
 */
async function runManifest(
  { scripts, assertions, bodies }: Manifest,
  context: Readonly<Record<string, string>>,
  tested: Tested,
): Promise<readonly Outcome[]> {
  const known = new Map(Object.entries({ ...bodies, ...context }));
  const outcomes: Outcome[] = [];
  for (const script of scripts) {
    // The official scripts pass values of the context on under their own names.
    const parameters = Object.entries(script.parameters ?? {}).filter(([name, value]) => value !== `$${name}`);
    const values = new Map([...known, ...parameters]);
    const answer = await send(script, values, tested);
    const faults = faultsOf(script, assertions, answer, values);
    const { keepContextOnSuccess: keep } = script;
    const kept = keep && valueAt(answer.json, keep.value);
    if (keep !== undefined && typeof kept === 'string') {
      known.set(keep.name, kept);
      if (isOfFunds(script) && script.parameters?.['requestConsent'] === 'true')
        known.set(approvedToken, await tested.approve(kept));
    }
    outcomes.push({ id: script.id, outcome: outcomeOf(script, answer, faults), faults });
  }
  return outcomes;
}

const approvedToken = 'approved_access_token';

function isOfFunds({ resource }: Script): boolean {
  return resource === 'FundsConfirmation';
}

async function tokenOf(script: Script, values: Values, tested: Tested): Promise<string | undefined> {
  if (script.permissions !== undefined) return tested.token(script['permissions-excluded'] ?? []);
  if (!isOfFunds(script)) return undefined;
  return values.get(script.uri === '/funds-confirmations' ? approvedToken : 'funds_client_access_token');
}

async function send(script: Script, values: Values, tested: Tested): Promise<Answer> {
  const headers = Object.entries(script.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), filled(value, values)] as const)
    // The suite omits a header without a value.
    .filter(([, value]) => !value.includes('$'));
  const query = new URLSearchParams(
    Object.entries(script.queryParameters ?? {}).map(([name, value]): [string, string] => [
      name,
      filled(value, values),
    ]),
  );
  const path = filled(script.uri, values) + (query.size > 0 ? `?${query.toString()}` : '');
  return tested.ask(path, {
    method: script.method.toUpperCase(),
    headers: Object.fromEntries(headers),
    token: await tokenOf(script, values, tested),
    ...(script.body !== undefined && { payload: filled(script.body, values) }),
  });
}

type Values = ReadonlyMap<string, string>;

/** The text with the value of each `$name` that has one, and of each function `$fn:name(argument)`. */
function filled(text: string, values: Values, depth = 0): string {
  if (depth > 9) throw new Error(`the manifest's value ${text} names itself`);
  const called = text.replace(
    /\$fn:(\w+)\(([^)]*)\)/g,
    (call, name: string, argument: string) => functions[name]?.(argument, values.get('today') ?? '') ?? call,
  );
  return called.replace(/\$([A-Za-z][\w-]*)/g, (name, known: string) => {
    const value = values.get(known);
    return value === undefined ? name : filled(value, values, depth + 1);
  });
}

/** A moment of the day after today, in the form of an example of 2 January 2006, whose fraction and zone it keeps. */
function nextDay(form: string, today: string): string {
  const next = new Date(Date.parse(today) + 86_400_000).toISOString();
  return form.replace('2006-01-02', next.slice(0, 10)).replace('Z07:00', 'Z');
}

const functions: Readonly<Record<string, (argument: string, today: string) => string>> = {
  nextDayDate: nextDay,
  nextDayDateTime: nextDay,
  instructionIdentificationID: () => randomUUID().replaceAll('-', ''),
};

function faultsOf(
  { asserts = [], asserts_one_of: oneOf = [] }: Script,
  assertions: Manifest['assertions'],
  answer: Answer,
  values: Values,
): string[] {
  const faultsOfOne = (name: string): string[] => {
    const assertion = assertions[name];
    if (assertion === undefined) return [`the assertion ${name} is in no file`];
    const { 'status-code': status = answer.status, matches = [] } = assertion.expect;
    return [
      ...(status === answer.status ? [] : [`expected ${status}, found ${answer.status}`]),
      ...matches.flatMap((match) => faultOfMatch(match, answer, values) ?? []),
    ];
  };
  const alternatives = oneOf.map(faultsOfOne);
  return [
    ...asserts.flatMap(faultsOfOne),
    ...(alternatives.some((faults) => faults.length === 0) ? [] : alternatives.flat()),
  ];
}

function faultOfMatch(match: Match, { headers, json }: Answer, values: Values): string | undefined {
  const header = match.header ?? match['header-present'];
  const path = match.JSON ?? match['JSON-NOT-PRESENT'];
  const place = header ?? path ?? '';
  const found = header === undefined ? valueAt(json, place) : headers[header.toLowerCase()];
  if (match['JSON-NOT-PRESENT'] !== undefined) return found === undefined ? undefined : `expected no ${place}`;
  if (found === undefined) return `expected ${place}`;
  const text = typeof found === 'string' ? found : JSON.stringify(found);
  const wanted = match.value ?? match.Value;
  if (match.regex !== undefined)
    return new RegExp(match.regex).test(text) ? undefined : `expected ${place} like ${match.regex}, found ${text}`;
  if (wanted === undefined || text === filled(wanted, values)) return undefined;
  return `expected ${place} ${filled(wanted, values)}, found ${text}`;
}

/** The value at a path such as `Data.ConsentId`; of `Errors.#.ErrorCode` the list of the values that are there. */
function valueAt(json: unknown, path: string): unknown {
  const [first = '', ...rest] = path.split('.');
  if (first === '') return json;
  if (first === '#') {
    const all = Array.isArray(json) ? json.map((item) => valueAt(item, rest.join('.'))) : [];
    const present = all.filter((value) => value !== undefined);
    return present.length === 0 ? undefined : present;
  }
  const inside = (json as Readonly<Record<string, unknown>> | null | undefined)?.[first];
  return inside === undefined ? undefined : valueAt(inside, rest.join('.'));
}

function outcomeOf({ uriImplementation, warning }: Script, { status }: Answer, faults: readonly string[]) {
  if (faults.length === 0) return 'passed';
  if (status === 404 && uriImplementation !== 'mandatory') return 'not served';
  return warning === true ? 'warning' : 'failed';
}
