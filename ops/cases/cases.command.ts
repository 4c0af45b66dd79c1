import type { Command } from 'commander';
import type { Static } from 'typebox';
import type {
  ApprovalReport,
  CaseConsent,
  CaseConsents,
  ProposalReport,
  ProposalReports,
  Timeline,
  WithdrawalReport,
} from '../../src/bank-facing/cases/case.schema.js';
import { UsageError, type CommandOutput } from '../../src/command-line/command.js';
import { withdrawalReasons } from '../../src/trail/withdrawal-reasons.js';
import { BankClient } from '../bank.client.js';
import type { CommandContext } from '../command-settings.js';
import {
  approvedText,
  consentsText,
  proposalsText,
  proposedText,
  timelineText,
  unknownText,
  withdrawalText,
} from './texts.js';

/** Whose consents a command is about: one of `consent`, `customer`, `account` and `tpp`. */
interface Scope {
  readonly customer?: string;
  readonly account?: string;
  readonly core?: string;
  readonly tpp?: string;
  readonly issuer?: string;
  readonly consent?: string;
}

interface WithdrawalOptions extends Scope {
  readonly reason: string;
  readonly text?: string;
}

export function addCases(program: Command, { operatorOnly, answer }: CommandContext): void {
  const cases = program
    .command('cases')
    .description('The consents of a customer, an account or a TPP. An operator does this, with OPERATOR_CREDENTIAL.');
  withScope(cases.command('find'))
    .description('lists the consents, ended and deleted ones included')
    .action(async (scope: Scope) => answer(await find(checkedScope(scope), new BankClient(operatorOnly()))));
  cases
    .command('timeline')
    .argument('<CONSENT_ID>')
    .description('lists what happened to a consent, when and by whom')
    .action(async (id: string) => answer(await timeline(id, new BankClient(operatorOnly()))));
  withScope(cases.command('withdraw'))
    .description(
      'ends every consent that gives access; if one fails, none ends. An account leaves its consents, and ends those without another',
    )
    .option('--consent <ID>', 'or one consent')
    .requiredOption('--reason <CODE>', withdrawalReasons.join(', '))
    .option('--text <TEXT>', 'the reason in words, kept with the consents; needed with other')
    .action(async ({ reason, text, ...scope }: WithdrawalOptions) =>
      answer(await withdraw(checkedScope(scope, 'consent'), { reason, text }, new BankClient(operatorOnly()))),
    );
  cases
    .command('proposals')
    .description('with TWO_PERSONS=yes: lists the acts that another operator must approve')
    .action(async () => answer(await proposals(new BankClient(operatorOnly()))));
  cases
    .command('approve')
    .argument('<PROPOSAL_ID>')
    .description('approves the act of another operator; the gateway then carries it out at once')
    .action(async (id: string) => answer(await approve(id, new BankClient(operatorOnly()))));
}

function withScope(command: Command): Command {
  return command
    .option('--customer <REF>', 'the core’s reference of a customer')
    .option('--account <REF>', 'or the core’s reference of an account')
    .option('--core <NAME>', 'with --account: its core in CORES, where it is not FIRST_CORE')
    .option('--tpp <ID>', 'or the client id of a TPP')
    .option('--issuer <ISSUER>', 'with --tpp: its issuer, needed where several issuers are configured');
}

async function find(scope: Scope, bank: BankClient): Promise<CommandOutput> {
  const consents = await consentsOf(scope, bank);
  return { json: consents, text: consentsText(consents) };
}

async function consentsOf(scope: Scope, bank: BankClient): Promise<readonly Static<typeof CaseConsent>[]> {
  const consents: Static<typeof CaseConsent>[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ ...scope, ...(cursor !== undefined && { cursor }) });
    const page = (await bank.call('GET', `/cases/consents?${query.toString()}`)) as Static<typeof CaseConsents>;
    consents.push(...page.Consents);
    cursor = page.NextCursor;
  } while (cursor !== undefined);
  return consents;
}

async function timeline(id: string, bank: BankClient): Promise<CommandOutput> {
  const timeline = (await bank.call('GET', `/cases/consents/${encodeURIComponent(id)}/timeline`)) as Static<
    typeof Timeline
  >;
  return { json: timeline, text: timelineText(timeline) };
}

async function proposals(bank: BankClient): Promise<CommandOutput> {
  const { Proposals } = (await bank.call('GET', '/cases/proposals')) as Static<typeof ProposalReports>;
  return { json: Proposals, text: proposalsText(Proposals) };
}

async function approve(id: string, bank: BankClient): Promise<CommandOutput> {
  const done = (await bank.call('POST', `/cases/proposals/${encodeURIComponent(id)}/approve`)) as Static<
    typeof ApprovalReport
  >;
  return { json: done, text: approvedText(done) };
}

async function withdraw(
  scope: Scope,
  why: Pick<WithdrawalOptions, 'reason' | 'text'>,
  bank: BankClient,
): Promise<CommandOutput> {
  const outcome = (await bank.call('POST', '/cases/withdrawals', { ...scope, ...why })) as
    Static<typeof WithdrawalReport> | Static<typeof ProposalReport>;
  if ('ProposalId' in outcome) return { json: outcome, text: proposedText(outcome) };
  // A slip in the reference looks like a customer without access.
  const isUnknown = outcome.Count === 0 && scope.consent === undefined && (await consentsOf(scope, bank)).length === 0;
  const text = isUnknown ? unknownText : withdrawalText(outcome, scope.account);
  return { json: outcome, text, failed: isUnknown };
}

/** @param more another subject that the command takes */
function checkedScope(scope: Scope, ...more: readonly 'consent'[]): Scope {
  const subjects = ['customer', 'account', 'tpp', ...more] as const;
  if (subjects.filter((name) => scope[name] !== undefined).length !== 1)
    throw new UsageError(`name one of ${subjects.map((name) => `--${name}`).join(', ')}`);
  return scope;
}
