import { Command, Option } from 'commander';
import type { CommandOutput } from '../../src/command-line/command.js';
import { packageVersion } from '../../src/persistence/package-root.js';
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
import { askForFunds } from '../actions/funds.js';
import { versionNames } from '../../src/versions/versions.js';
import { type Fault, faults } from '../bank/faults.js';
import type { Stack } from '../clients/stack.js';
import { consentText, fundsText, newTppText, personaText, shown, tppText } from './texts.js';
import {
  type ConsentWords,
  consentOptions,
  durationMs,
  type FundsWords,
  type JourneyWords,
  type NewTppWords,
  newTpp,
  personaIn,
} from './values.js';

/** The actions of the sandbox's command line work with these. */
export interface CommandParts {
  /** Finds the stack that runs. */
  readonly stack: () => Promise<Stack>;
  readonly answer: (output: CommandOutput) => void;
  /** Shows a line of progress. */
  readonly note: (line: string) => void;
}

export function sandboxProgram(parts: CommandParts): Command {
  const program = new Command('npm run sandbox --')
    .description('The sandbox’s command line. It talks to a running stack (npm start).')
    .version(`account-information-gateway ${packageVersion()}`, '--version', 'the version of this project')
    .option('--json', 'the answer for a program; into a pipe or a file consent writes JSON in any case')
    .addHelpText(
      'after',
      `
A command finds the stack that runs on DATA_DIR (./data unless set) by itself, whatever its ports are. Settings of the
environment (PORT, BANK_PORT, SANDBOX_PORT, BANK_CREDENTIAL and the others of npm start) come first.`,
    );
  addConsents(program, parts);
  addFunds(program, parts);
  addJourney(program, parts);
  addBank(program, parts);
  addTpps(program, parts);
  return program;
}

function addConsents(program: Command, { stack, answer }: CommandParts): void {
  program
    .command('personas')
    .description('the people who bank here, and the cases that each shows')
    .action(async () => {
      const all = await personas(await stack());
      answer({ json: { personas: all }, text: all.map(personaText).join('\n\n') });
    });
  withPersona(program.command('consent'))
    .description('a consent, authorised, with the tokens to use it')
    .option('--permissions <all|A,B>', 'permission codes')
    .option('--accounts <all|REF,...>', 'the accounts that the customer selects')
    .option('--authenticated-ago <6m>', 'how long ago the customer authenticated: 90s, 6m, 2h, 1d')
    .option('--from <D>', 'the start of the consented transactions, e.g. 2026-01-31')
    .option('--to <D>', 'their end')
    .option('--expires <D>', 'when the consent ends')
    .addOption(versionOption('of the API; its token works there and in newer ones; by default the oldest'))
    .action(async (words: ConsentWords) => answer(await newConsent(words, stack)));
  program
    .command('reauthenticate')
    .argument('<CONSENT>')
    .description('the customer authenticates again, now')
    .action(async (id: string) => {
      const json = await reauthenticate(await stack(), id);
      answer({ json, text: `${json.ConsentId}: the customer has authenticated now` });
    });
  program
    .command('revoke')
    .argument('<CONSENT>')
    .description('the customer withdraws the consent at the bank')
    .action(async (id: string) => {
      const json = await revoke(await stack(), id);
      answer({ json, text: `${json.ConsentId}: ${json.Status}` });
    });
}

function addFunds(program: Command, { stack, answer }: CommandParts): void {
  withPersona(program.command('funds'))
    .description('asks whether an account has enough money, with a consent for it, and prints yes or no')
    .option('--account <REF>', 'the account; by default the first that a TPP can name')
    .option('--amount <A>', 'in the currency of the account', '25.00')
    .addOption(versionOption('of the API; by default the oldest'))
    .action(async (words: FundsWords) => {
      const options = { ...words, persona: personaIn(words) };
      const json = await askForFunds(await stack(), options);
      answer({ json, text: fundsText(json) });
    });
}

function addJourney(program: Command, { stack, answer, note }: CommandParts): void {
  withPersona(program.command('journey'))
    .description(
      'all steps of a TPP through the authorization server: consent, the bank’s pages, data, another authentication, the end',
    )
    .option('--wait', 'also wait until the authentication window has ended')
    .addOption(versionOption('of the API; by default the newest'))
    .action(async (words: JourneyWords) => answer(await journey(words, stack, note)));
}

/** `--version` is the version of this project. */
function versionOption(description: string): Option {
  return new Option('--api <VERSION>', description).choices(versionNames);
}

function withPersona(command: Command): Command {
  return command
    .option('--persona <NAME>', 'whose: one of `personas`')
    .addOption(
      new Option('--customer <REF>', 'in place of --persona: the core’s reference of the customer').conflicts(
        'persona',
      ),
    );
}

async function newConsent(words: ConsentWords, stack: CommandParts['stack']): Promise<CommandOutput> {
  const options = consentOptions(words);
  const running = await stack();
  const given = await giveConsent(running, options);
  const { AuthenticationWindow } = await publishedFacts(running);
  return { json: given, text: consentText(given, options, AuthenticationWindow), jsonInPipe: true };
}

async function journey(
  words: JourneyWords,
  stack: CommandParts['stack'],
  note: CommandParts['note'],
): Promise<CommandOutput> {
  const persona = personaIn(words);
  // Only this command and those about TPPs need a TPP's libraries, which take longer to load than all the rest.
  const { takeJourney } = await import('../actions/journey.js');
  const { wait = false, api } = words;
  const json = await takeJourney(await stack(), { persona, wait, ...(api && { api }) }, note);
  return { json, text: JSON.stringify({ Accounts: json.Accounts, Balances: json.Balances }, undefined, 2) };
}

function addBank(program: Command, { stack, answer }: CommandParts): void {
  program
    .command('account')
    .argument('<REF>', 'the reference of an account, see `personas`')
    .description('opens the account to TPPs (valid), or blocks it')
    .addOption(new Option('--state <S>').choices(accountStates).makeOptionMandatory())
    .action(async (ref: string, { state }: { readonly state: AccountState }) =>
      answer({ json: await setAccountState(await stack(), ref, state), text: `${ref}: ${state}` }),
    );
  program
    .command('core')
    .description('makes the core fail')
    .addOption(new Option('--fault <F>').choices(faults).makeOptionMandatory())
    .action(async ({ fault }: { readonly fault: Fault }) =>
      answer({ json: await setFault(await stack(), fault), text: `core fault: ${fault}` }),
    );
  program
    .command('clock')
    .argument('<DURATION>', 'like 90s, 5m, 2h or 90d')
    .description('moves the bank’s time forward; tokens, signatures and certificates stay in real time')
    .action(async (duration: string) => {
      const byMs = durationMs('clock', duration);
      const json = await moveClock(await stack(), byMs);
      answer({ json, text: `the bank’s time is ${json.now}` });
    });
  program
    .command('unlock')
    .argument('<NAME>', 'the login name of a persona, see `personas`')
    .description('lets a person whose sign-in is paused sign in at once')
    .action(async (name: string) =>
      answer({ json: await unlock(await stack(), name), text: `${name} can sign in at once` }),
    );
}

function addTpps(program: Command, parts: CommandParts): void {
  const { stack, answer } = parts;
  const tpps = program.command('tpp').description('The TPPs that the bank knows.');
  addNewTpp(tpps, parts);
  tpps
    .command('list')
    .description('the TPPs that the bank knows')
    .action(async () => {
      const tpps = await (await import('../actions/new-tpp.js')).listTpps(await stack());
      answer({ json: { tpps }, text: tpps.map(tppText).join('\n\n') });
    });
  tpps
    .command('remove')
    .argument('<NAME>', 'of a TPP, see `tpp list`')
    .description('ends the registration, and removes the files that tpp new wrote')
    .action(async (name: string) => {
      const json = await (await import('../actions/new-tpp.js')).removeTpp(await stack(), name);
      const kept =
        json.kept.length === 0 ? '' : ` ${shown(json.folder)} keeps your own files: ${json.kept.join(', ')}.`;
      answer({ json, text: `${json.name} is no longer registered.${kept}` });
    });
}

function addNewTpp(tpps: Command, { stack, answer }: CommandParts): void {
  tpps
    .command('new')
    .description('a new TPP: registered, with a folder of settings, certificate, key and program')
    .requiredOption('--name <NAME>', 'which customers will see')
    .requiredOption('--redirect <URI>', 'e.g. http://localhost:4000/callback')
    .addOption(new Option('--fapi <VERSION>', 'the version of FAPI; 1 by default').choices(['1', '2']))
    .addOption(
      new Option(
        '--auth <BY>',
        'how it proves itself: by signatures, which is the default, or by its certificate alone, under FAPI 2',
      ).choices(['key', 'certificate']),
    )
    .addOption(versionOption('of the API that its program uses; by default the newest'))
    .option('--funds', 'asks for confirmation of funds in place of reading accounts')
    .option('--agent <NAME>', 'acts on behalf of the TPP: customers see both names')
    .action(async (words: NewTppWords) => {
      const wanted = newTpp(words);
      const running = await stack();
      const tpp = await (await import('../actions/new-tpp.js')).newTpp(running, wanted);
      answer({ json: tpp, text: newTppText(tpp, running.inboxUrl, (await personas(running))[0]) });
    });
}
