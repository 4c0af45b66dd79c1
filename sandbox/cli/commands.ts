import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import {
  type AccountState,
  accountStates,
  moveClock,
  personas,
  reauthenticate,
  revoke,
  setAccountState,
  setFault,
  unlock,
} from '../actions/bank.js';
import { giveConsent, publishedFacts } from '../actions/consent.js';
import type { NewTpp } from '../actions/new-tpp.js';
import { type Fault, faults } from '../bank/faults.js';
import { type Command, type CommandOutput, type ReadCommand, command, readArguments, usageOf } from './arguments.js';
import { consentText, newTppText, personaText, shown, tppText } from './texts.js';
import { consentOptions, durationMs, newTpp, personaIn } from './values.js';

const seePersonas = 'see: sandbox personas';
const who = {
  persona: { value: 'NAME', needed: `--persona NAME or --customer REF, ${seePersonas}`, instead: 'customer' },
  customer: { value: 'REF', help: 'in place of --persona: the core’s reference of the customer' },
} as const;
const consent = { value: 'CONSENT', needed: 'the id of a consent' } as const;

/** Every command: its help, its words, its action, and how it shows the result. */
const commands: Readonly<Record<string, Command>> = {
  personas: command({
    help: 'the people who bank here, and the cases that each shows',
    read: () => undefined,
    run: async (stack) => {
      const all = await personas(stack);
      return { json: { personas: all }, text: all.map(personaText).join('\n\n') };
    },
  }),
  consent: command({
    help: 'a consent, authorised, with the tokens to use it',
    options: {
      ...who,
      permissions: { value: 'all|A,B', help: 'permission codes' },
      accounts: { value: 'all|REF,...', help: 'the accounts that the customer selects' },
      'authenticated-ago': { value: '6m', help: 'how long ago the customer authenticated: 90s, 6m, 2h, 1d' },
      from: { value: 'D', help: 'the start of the consented transactions, e.g. 2026-01-31' },
      to: { value: 'D', help: 'their end' },
      expires: { value: 'D', help: 'when the consent ends' },
    },
    jsonInPipe: true,
    read: consentOptions,
    run: async (stack, options) => {
      const given = await giveConsent(stack, options);
      const { AuthenticationWindow } = await publishedFacts(stack);
      return { json: given, text: consentText(given, options, AuthenticationWindow) };
    },
  }),
  reauthenticate: command({
    help: 'the customer authenticates again, now',
    operand: consent,
    read: ({ '': id = '' }) => id,
    run: async (stack, id) => {
      const json = await reauthenticate(stack, id);
      return { json, text: `${json.ConsentId}: the customer has authenticated now` };
    },
  }),
  revoke: command({
    help: 'the customer withdraws the consent at the bank',
    operand: consent,
    read: ({ '': id = '' }) => id,
    run: async (stack, id) => {
      const json = await revoke(stack, id);
      return { json, text: `${json.ConsentId}: ${json.Status}` };
    },
  }),
  account: command({
    help: 'opens the account to TPPs (valid), or blocks it',
    operand: { value: 'REF', needed: `the reference of an account, ${seePersonas}` },
    options: { state: { value: 'S', oneOf: accountStates, needed: `--state ${accountStates.join(' or ')}` } },
    read: ({ '': ref = '', state }) => ({ ref, state: state as AccountState }),
    run: async (stack, { ref, state }) => ({
      json: await setAccountState(stack, ref, state),
      text: `${ref}: ${state}`,
    }),
  }),
  core: command({
    help: `makes the core fail: ${faults.join(', ')}`,
    options: { fault: { value: 'F', oneOf: faults, needed: `--fault with one of ${faults.join(', ')}` } },
    read: ({ fault }) => fault as Fault,
    run: async (stack, fault) => ({ json: await setFault(stack, fault), text: `core fault: ${fault}` }),
  }),
  clock: command({
    help: 'moves the bank’s time on; tokens, signatures and certificates stay in real time',
    operand: { value: 'DURATION', needed: 'a duration, like 90s, 5m, 2h or 90d' },
    read: ({ '': duration = '' }) => durationMs('clock', duration),
    run: async (stack, byMs) => {
      const json = await moveClock(stack, byMs);
      return { json, text: `the bank’s time is ${json.now}` };
    },
  }),
  unlock: command({
    help: 'lets a person whose sign-in is paused sign in at once, by the login name',
    operand: { value: 'NAME', needed: `the login name of a persona, ${seePersonas}` },
    read: ({ '': name = '' }) => name,
    run: async (stack, name) => ({ json: await unlock(stack, name), text: `${name} can sign in at once` }),
  }),
  journey: command({
    help:
      'a TPP’s whole way through the authorization server: consent, the bank’s pages,\n' +
      'data, another authentication, the end',
    options: { ...who, wait: { help: 'also wait until the authentication window is over' } },
    read: (values) => ({ persona: personaIn(values), wait: values['wait'] !== undefined }),
    run: async (stack, wanted, tell) => {
      // Only this command and those about TPPs need a TPP's libraries, which take longer to load than all the rest.
      const { takeJourney } = await import('../actions/journey.js');
      const json = await takeJourney(stack, wanted, tell);
      return { json, text: JSON.stringify({ Accounts: json.Accounts, Balances: json.Balances }, undefined, 2) };
    },
  }),
  'tpp new': command({
    help: 'a new TPP: registered, with a folder of settings, certificate, key and\na program that reads accounts',
    options: {
      name: { value: 'NAME', needed: '--name NAME, which customers will see' },
      redirect: { value: 'URI', needed: '--redirect URI, e.g. http://localhost:4000/callback' },
      fapi: { value: '1|2', oneOf: ['1', '2'], help: 'the version of FAPI; 1 unless said' },
      auth: {
        value: 'key|certificate',
        oneOf: ['key', 'certificate'],
        help: 'proves itself by signatures, unless said, or by its certificate alone, under\nFAPI 2',
      },
      agent: { value: 'NAME', help: 'acts on behalf of the TPP: customers see both names' },
    },
    read: newTpp,
    run: async (stack, wanted: NewTpp) => {
      const tpp = await (await import('../actions/new-tpp.js')).newTpp(stack, wanted);
      return { json: tpp, text: newTppText(tpp, stack.inboxUrl, (await personas(stack))[0]) };
    },
  }),
  'tpp list': command({
    help: 'the TPPs that the bank knows',
    read: () => undefined,
    run: async (stack) => {
      const tpps = await (await import('../actions/new-tpp.js')).listTpps(stack);
      return { json: { tpps }, text: tpps.map(tppText).join('\n\n') };
    },
  }),
  'tpp remove': command({
    help: 'ends the registration, and removes the files that tpp new wrote',
    operand: { value: 'NAME', needed: 'the name of a TPP, see: sandbox tpp list' },
    read: ({ '': name = '' }) => name,
    run: async (stack, name) => {
      const json = await (await import('../actions/new-tpp.js')).removeTpp(stack, name);
      const kept =
        json.kept.length === 0 ? '' : ` ${shown(json.folder)} keeps your own files: ${json.kept.join(', ')}.`;
      return { json, text: `${json.name} is no longer registered.${kept}` };
    },
  }),
  help: command({ help: 'this text; also --help', read: () => undefined, run: async () => usage() }),
  version: command({ help: 'the version of this project; also --version', read: () => undefined, run: version }),
};

/** Throws a `UsageError` for a line that is not a command. */
export function readCommand(args: readonly string[]): ReadCommand {
  return readArguments(commands, args);
}

function usage(): Promise<CommandOutput> {
  const text = `The sandbox's command line. It talks to a running stack (npm start).

${usageOf(commands)}

Every command takes --json; into a pipe or a file consent writes JSON in any case.
A command finds the stack that runs on DATA_DIR (./data unless set) by itself, whatever its ports are. Settings of the
environment (PORT, BANK_PORT, SANDBOX_PORT, BANK_CREDENTIAL and the others of npm start) come first.`;
  return Promise.resolve({ json: { usage: text }, text });
}

async function version(): Promise<CommandOutput> {
  const manifest = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  return { json: { version: manifest.version }, text: `${manifest.name} ${manifest.version}` };
}
