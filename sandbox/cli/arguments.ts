import { parseArgs } from 'node:util';
import { faults } from '../bank/faults.js';
import { codeOf } from '../faulty-start.js';
import type { NewTpp } from '../new-tpps/new-tpp.js';

/** The command line cannot be understood. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface ConsentOptions {
  readonly persona: string;
  readonly permissions: 'all' | readonly string[];
  readonly accounts: 'all' | readonly string[];
  readonly authenticatedAgoMs: number;
  readonly from?: string;
  readonly to?: string;
  readonly expires?: string;
}

export type Command =
  | { readonly name: 'help' | 'version' }
  | { readonly name: 'personas' }
  | { readonly name: 'consent'; readonly options: ConsentOptions }
  | { readonly name: 'reauthenticate' | 'revoke'; readonly consentId: string }
  | { readonly name: 'account'; readonly ref: string; readonly state: string }
  | { readonly name: 'core'; readonly fault: string }
  | { readonly name: 'unlock'; readonly loginName: string }
  | { readonly name: 'journey'; readonly persona: string; readonly wait: boolean }
  | TppCommand;

export type TppCommand =
  | { readonly name: 'tpp new'; readonly tpp: NewTpp }
  | { readonly name: 'tpp list' }
  | { readonly name: 'tpp remove'; readonly tpp: string };

/** Throws {@link UsageError} for a line that is not a command. */
export function readArguments(args: readonly string[]): { readonly command: Command; readonly json: boolean } {
  const { values, positionals } = parse(args);
  const { json = false, help = false, version = false, ...flags } = values;
  const [first, second, ...others] = positionals;
  // `tpp` is a family of commands.
  const [name, operands] = first === 'tpp' ? [`tpp ${second ?? ''}`.trim(), others] : [first, positionals.slice(1)];
  if (version) return { command: { name: 'version' }, json };
  if (help || first === 'help') return { command: { name: 'help' }, json };
  return { command: commandOf(name, operands, flags), json };
}

type Flags = Omit<ReturnType<typeof parse>['values'], 'json' | 'help' | 'version'>;

/** Each command: how many operands it takes, which flags it knows, and how it reads them. */
const commands: Readonly<
  Record<
    Exclude<Command['name'], 'help' | 'version'>,
    {
      readonly operands: 0 | 1;
      readonly flags: readonly (keyof Flags)[];
      readonly read: (flags: Flags, operand: string | undefined) => Command;
    }
  >
> = {
  personas: { operands: 0, flags: [], read: () => ({ name: 'personas' }) },
  consent: {
    operands: 0,
    flags: ['persona', 'permissions', 'accounts', 'authenticated-ago', 'from', 'to', 'expires'],
    read: (flags) => ({ name: 'consent', options: consentOptions(flags) }),
  },
  reauthenticate: { operands: 1, flags: [], read: (_, operand) => onConsent('reauthenticate', operand) },
  revoke: { operands: 1, flags: [], read: (_, operand) => onConsent('revoke', operand) },
  account: {
    operands: 1,
    flags: ['state'],
    read: ({ state }, operand) => ({
      name: 'account',
      ref: needed(operand, 'account needs the reference of an account, see: sandbox personas'),
      state: oneOf('state', state, ['valid', 'not-permitted']),
    }),
  },
  core: {
    operands: 0,
    flags: ['fault'],
    read: ({ fault }) => ({ name: 'core', fault: oneOf('fault', fault, faults) }),
  },
  unlock: {
    operands: 1,
    flags: [],
    read: (_, operand) => ({
      name: 'unlock',
      loginName: needed(operand, 'unlock needs the login name of a persona, see: sandbox personas'),
    }),
  },
  journey: {
    operands: 0,
    flags: ['persona', 'wait'],
    read: (flags) => ({ name: 'journey', persona: persona('journey', flags), wait: flags.wait ?? false }),
  },
  'tpp new': {
    operands: 0,
    flags: ['name', 'agent', 'redirect', 'fapi', 'auth'],
    read: (flags) => ({ name: 'tpp new', tpp: newTppOf(flags) }),
  },
  'tpp list': { operands: 0, flags: [], read: () => ({ name: 'tpp list' }) },
  'tpp remove': {
    operands: 1,
    flags: [],
    read: (_, operand) => ({
      name: 'tpp remove',
      tpp: needed(operand, 'tpp remove needs the name of a TPP, see: sandbox tpp list'),
    }),
  },
};

function commandOf(name: string | undefined, operands: readonly string[], flags: Flags): Command {
  if (name === undefined) throw new UsageError('which command? See: sandbox help');
  if (!isCommand(name)) throw new UsageError(`there is no command ${name}, see: sandbox help`);
  const command = commands[name];
  allow(name, operands, command.operands, flags, command.flags);
  return command.read(flags, operands[0]);
}

function isCommand(name: string): name is keyof typeof commands {
  return Object.hasOwn(commands, name);
}

function onConsent(name: 'reauthenticate' | 'revoke', consentId: string | undefined): Command {
  return { name, consentId: needed(consentId, `${name} needs the id of a consent`) };
}

function persona(command: 'consent' | 'journey', flags: Flags): string {
  return needed(flags.persona, `${command} needs --persona NAME, see: sandbox personas`);
}

/** The name ends up in a certificate, in a file of settings and in the name of a folder. */
const tppName = /^(?=.*[a-z0-9])[\p{L}\p{N}][\p{L}\p{N} .,&'()-]{0,59}$/iu;

function newTppOf({ name, agent, redirect, fapi, auth }: Flags): NewTpp {
  const given = needed(name, 'tpp new needs --name NAME, which customers will see');
  const uri = needed(redirect, 'tpp new needs --redirect URI, e.g. http://localhost:4000/callback');
  for (const [flag, one] of Object.entries({ name: given, agent }))
    if (one !== undefined && !tppName.test(one))
      throw new UsageError(
        `--${flag} has up to 60 letters, digits, spaces and .,&'()-, and begins with a letter or a digit`,
      );
  if (!URL.canParse(uri)) throw new UsageError('--redirect is a URI, e.g. http://localhost:4000/callback');
  const byCertificate = auth !== undefined && oneOf('auth', auth, ['key', 'certificate']) === 'certificate';
  const version = oneOf('fapi', fapi ?? (byCertificate ? '2' : '1'), ['1', '2']);
  if (byCertificate && version === '1')
    throw new UsageError('--auth certificate goes with --fapi 2: under FAPI 1 a key signs each authorization request');
  return {
    name: given,
    ...(agent !== undefined && { agent }),
    redirectUri: uri,
    fapi: version,
    ...(byCertificate && { auth: 'certificate' }),
  };
}

function consentOptions(flags: Flags): ConsentOptions {
  return {
    persona: persona('consent', flags),
    permissions: listOrAll(flags.permissions),
    accounts: listOrAll(flags.accounts),
    authenticatedAgoMs: durationMs(flags['authenticated-ago'] ?? '0s'),
    from: dateTime(flags.from),
    to: dateTime(flags.to),
    expires: dateTime(flags.expires),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
        persona: { type: 'string' },
        permissions: { type: 'string' },
        accounts: { type: 'string' },
        'authenticated-ago': { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        expires: { type: 'string' },
        state: { type: 'string' },
        fault: { type: 'string' },
        wait: { type: 'boolean' },
        name: { type: 'string' },
        agent: { type: 'string' },
        redirect: { type: 'string' },
        fapi: { type: 'string' },
        auth: { type: 'string' },
      },
    });
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    // The first sentence only: Node's advice after it does not fit here.
    const [sentence] = (error as Error).message.split(/\.?\s*\n|\. /);
    throw new UsageError(`${sentence}, see: sandbox help`);
  }
}

function allow(
  command: string,
  operands: readonly string[],
  operandCount: number,
  flags: Flags,
  allowed: readonly string[],
): void {
  const foreign = Object.keys(flags).find((flag) => !allowed.includes(flag));
  if (foreign !== undefined) throw new UsageError(`${command} has no --${foreign}, see: sandbox help`);
  const surplus = operands[operandCount];
  if (surplus !== undefined) throw new UsageError(`${command} does not take "${surplus}", see: sandbox help`);
}

function needed(value: string | undefined, otherwise: string): string {
  if (value === undefined || value === '') throw new UsageError(otherwise);
  return value;
}

function oneOf<Value extends string>(flag: string, value: string | undefined, allowed: readonly Value[]): Value {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new UsageError(`--${flag} is one of ${allowed.join(', ')}`);
  return found;
}

function listOrAll(value = 'all'): 'all' | string[] {
  return value === 'all' ? 'all' : value.split(',').filter((item) => item !== '');
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationMs(value: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  const ms = unitMs[unit ?? ''];
  if (ms === undefined) throw new UsageError(`--authenticated-ago ${value}: write it like 90s, 6m, 2h or 1d`);
  return Number(count) * ms;
}

/** A plain day is its beginning, UTC. Anything else goes to the gateway as it is, which judges it. */
function dateTime(value: string | undefined): string | undefined {
  return value !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00+00:00` : value;
}
