import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { ProposalReport } from '../src/bank-facing/cases/case.schema.js';
import type { RegisteredTpp, RegisteredTpps } from '../src/bank-facing/operator.schema.js';
import { BankClient } from './bank.client.js';
import { CommandFailed, type CommandOutput } from '../src/command-line/command.js';
import type { CommandContext } from './command-settings.js';

type Tpp = Static<typeof RegisteredTpp>;
/** With TWO_PERSONS=yes the answer to `suspend`, to `reinstate`, and to `add` where it changes metadata. */
type Proposal = Static<typeof ProposalReport>;

/** The acts on one TPP, each with its help. */
const acts = {
  suspend: 'every token and request of the TPP fails at once, with any issuer; its consents stay',
  reinstate: 'ends that',
  'revoke-consents': 'every consent that the TPP has created is revoked at once, and for ever',
} as const;

export function addTpps(program: Command, { operator, answer }: CommandContext): void {
  const tpps = program.command('tpps').description('The TPPs. An operator with the role operate does this.');
  tpps
    .command('list')
    .description('the TPPs that are registered, and those that the bank has suspended')
    .action(async () => answer(await list(new BankClient(operator()))));
  tpps
    .command('add')
    .argument('<FILE>', 'JSON: a TPP, or a list in the form of TPPS_FILE')
    .description('registers the TPPs of a JSON file, or changes their registrations')
    .action(async (file: string) => answer(await add(file, new BankClient(operator()))));
  for (const [verb, help] of Object.entries(acts))
    tpps
      .command(verb)
      .argument('<ID>', 'the client id of the TPP')
      .description(help)
      .option('--issuer <ISSUER>', 'the issuer of the TPP’s tokens: needed where several issuers are configured')
      .action(async (id: string, { issuer }: { readonly issuer?: string }) =>
        answer(await act(verb, id, issuer, new BankClient(operator()))),
      );
}

async function list(bank: BankClient): Promise<CommandOutput> {
  const { Tpps } = (await bank.call('GET', '/tpps')) as Static<typeof RegisteredTpps>;
  return { json: Tpps, text: Tpps.length === 0 ? 'no TPP is registered' : Tpps.map(line).join('\n') };
}

async function act(verb: string, id: string, issuer: string | undefined, bank: BankClient): Promise<CommandOutput> {
  const query = issuer === undefined ? '' : `?issuer=${encodeURIComponent(issuer)}`;
  const tpp = (await bank.call('POST', `/tpps/${encodeURIComponent(id)}/${verb}${query}`)) as Tpp | Proposal;
  return { json: tpp, text: lineOrProposal(tpp) };
}

/** One after the other: each is registered or refused separately, and the first refusal ends the command. */
async function add(file: string, bank: BankClient): Promise<CommandOutput> {
  const entries = read(file);
  const added: (Tpp | Proposal)[] = [];
  for (const [index, entry] of entries.entries()) {
    const { clientId, ...registration } = entry;
    if (typeof clientId !== 'string' || clientId === '')
      throw new CommandFailed(`${file}: [${index}].clientId is needed`);
    try {
      added.push((await bank.call('PUT', `/tpps/${encodeURIComponent(clientId)}`, registration)) as Tpp | Proposal);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      throw new CommandFailed(`${file}: [${index}] ${clientId}: ${error.message}${outcomeOf(added)}`);
    }
  }
  return { json: added, text: added.map(lineOrProposal).join('\n') };
}

/** The outcome of the entries before a refused one. */
function outcomeOf(added: readonly (Tpp | Proposal)[]): string {
  if (added.length === 0) return '';
  const waiting = added.filter((outcome) => 'ProposalId' in outcome).length;
  const proposed = waiting === 0 ? '' : `, ${waiting} waiting for another operator (see \`cases proposals\`)`;
  return `; before it: ${added.length - waiting} registered${proposed}`;
}

/** The entries of a list, or the file's only entry. */
function read(file: string): readonly Readonly<Record<string, unknown>>[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandFailed(`${file} is not ${error instanceof SyntaxError ? 'valid JSON' : 'a readable file'}`);
  }
  const entries = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  if (entries.length > 0 && entries.every(isEntry)) return entries;
  throw new CommandFailed(`${file} holds neither a TPP nor a list of TPPs`);
}

function isEntry(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lineOrProposal(outcome: Tpp | Proposal): string {
  return 'ProposalId' in outcome ? proposed(outcome) : line(outcome);
}

function proposed({ ProposalId, ExpirationDateTime }: Proposal): string {
  return `nothing has changed yet: until ${ExpirationDateTime} another operator may approve it with \`cases approve ${ProposalId}\``;
}

function line({
  ClientId: clientId,
  Issuer: issuer,
  Status: status,
  Name: name,
  ConsentsRevokedDateTime: revoked,
}: Tpp): string {
  const shownName = name ?? '(not registered here)';
  return `${clientId}  ${issuer}  ${status}  ${shownName}${revoked === undefined ? '' : `, consents created up to ${revoked} are revoked`}`;
}
