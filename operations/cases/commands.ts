import { BankClient } from '../../src/commands/bank.client.js';
import { UsageError, type CommandOutput } from '../../src/commands/command.js';
import { readOperatorOnly, type BankAddress } from '../../src/config/bank-address.js';
import { withdrawalReasons } from '../../src/trail/withdrawal-reasons.js';
import { neededOption, optionOf, type CommandTable, type Given } from '../command-line.js';
import type { CaseConsent, Proposal, Timeline, Withdrawal } from './answers.js';
import { consentsText, proposalsText, proposedText, timelineText, unknownText, withdrawalText } from './texts.js';

const scope = {
  customer: { value: 'REF', help: 'the core’s reference of a customer' },
  account: { value: 'REF', help: 'or the core’s reference of an account' },
  core: { value: 'NAME', help: 'with --account: its core in CORES, where it is not FIRST_CORE' },
  tpp: { value: 'ID', help: 'or the client id of a TPP' },
  issuer: { value: 'ISSUER', help: 'with --tpp: its issuer, where several issuers may have a TPP with this id' },
} as const;

/** @param address of the gateway, read once a command needs it */
export function casesCommands(address: () => BankAddress = readOperatorOnly): CommandTable {
  const bank = (): BankClient => new BankClient(address());
  return {
    name: 'cases',
    summary: 'The consents of a customer, an account or a TPP. An operator does this, with OPERATOR_CREDENTIAL.',
    commands: {
      find: {
        help: 'lists the consents, ended and deleted ones included',
        options: scope,
        run: (given) => find(given, bank()),
      },
      timeline: {
        help: 'the life of a consent: created, given, used, authenticated, withdrawn by whom and why',
        operands: ['CONSENT_ID'],
        run: ({ operands: [id = ''] }) => timeline(id, bank()),
      },
      withdraw: {
        help: 'ends every consent that gives access, or none',
        options: {
          ...scope,
          consent: { value: 'ID', help: 'or one consent alone' },
          reason: { value: 'CODE', help: withdrawalReasons.join(', ') },
          text: { value: 'TEXT', help: 'the reason in words, kept with the consents; needed with other' },
        },
        run: (given) => withdraw(given, bank()),
      },
      proposals: {
        help: 'with TWO_PERSONS=yes: the acts that another operator must approve',
        run: () => proposals(bank()),
      },
      approve: {
        help: 'approves the act of another operator, which is done at once',
        operands: ['PROPOSAL_ID'],
        run: ({ operands: [id = ''] }) => approve(id, bank()),
      },
    },
    common: {},
  };
}

async function find(given: Given, bank: BankClient): Promise<CommandOutput> {
  const consents = await consentsOf(scopeOf(given), bank);
  return { json: consents, text: consentsText(consents) };
}

async function consentsOf(named: Readonly<Record<string, string>>, bank: BankClient): Promise<readonly CaseConsent[]> {
  const consents: CaseConsent[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ ...named, ...(cursor !== undefined && { cursor }) });
    const page = (await bank.call('GET', `/cases/consents?${query.toString()}`)) as {
      readonly Consents: readonly CaseConsent[];
      readonly NextCursor?: string;
    };
    consents.push(...page.Consents);
    cursor = page.NextCursor;
  } while (cursor !== undefined);
  return consents;
}

async function timeline(id: string, bank: BankClient): Promise<CommandOutput> {
  const told = (await bank.call('GET', `/cases/consents/${encodeURIComponent(id)}/timeline`)) as Timeline;
  return { json: told, text: timelineText(told) };
}

async function proposals(bank: BankClient): Promise<CommandOutput> {
  const { Proposals } = (await bank.call('GET', '/cases/proposals')) as { readonly Proposals: readonly Proposal[] };
  return { json: Proposals, text: proposalsText(Proposals) };
}

async function approve(id: string, bank: BankClient): Promise<CommandOutput> {
  const done = (await bank.call('POST', `/cases/proposals/${encodeURIComponent(id)}/approve`)) as {
    readonly Proposal: Proposal;
    readonly Withdrawal?: Withdrawal;
  };
  const { Proposal: proposal, Withdrawal: withdrawal } = done;
  return { json: done, text: withdrawal ? withdrawalText(withdrawal) : `The TPP ${proposal.TppId} is suspended.` };
}

async function withdraw(given: Given, bank: BankClient): Promise<CommandOutput> {
  const reason = neededOption(given, 'reason');
  const words = optionOf(given, 'text');
  const { consent, ...named } = scopeOf(given, 'consent');
  const subject = consent === undefined ? named : { consent };
  const request = { ...subject, reason, ...(words !== undefined && { text: words }) };
  const outcome = (await bank.call('POST', '/cases/withdrawals', request)) as Withdrawal | Proposal;
  if ('ProposalId' in outcome) return { json: outcome, text: proposedText(outcome) };
  // A slip in the reference looks like a customer without access.
  const isUnknown = outcome.Count === 0 && consent === undefined && (await consentsOf(named, bank)).length === 0;
  const text = isUnknown ? unknownText : withdrawalText(outcome);
  return { json: outcome, text, failed: isUnknown };
}

/** @param more the other subjects that the command takes */
function scopeOf({ options }: Given, ...more: readonly string[]): Readonly<Record<string, string>> {
  const names = [...Object.keys(scope), ...more];
  const given = names.flatMap((name) => (options[name] ?? []).map((value) => [name, value] as const));
  const known = ['customer', 'account', 'tpp', ...more];
  if (given.filter(([name]) => known.includes(name)).length !== 1)
    throw new UsageError(`name one of ${known.map((name) => `--${name}`).join(', ')}`);
  return Object.fromEntries(given);
}
