import { readFileSync } from 'node:fs';
import type { BankClient } from './bank.client.js';
import { CommandFailed, UsageError, type CommandOutput } from './command.js';

interface Tpp {
  readonly ClientId: string;
  readonly Issuer: string;
  /** Only for a TPP of the embedded authorization server. */
  readonly Name?: string;
  readonly Status: string;
  readonly ConsentsRevokedDateTime?: string;
}

/** With TWO_PERSONS=yes the answer to `suspend`, to `reinstate`, and to `add` where it changes metadata. */
interface Proposal {
  readonly ProposalId: string;
  readonly LapsesDateTime: string;
}

/** `tpps list | add FILE | suspend ID | reinstate ID | revoke-consents ID`; the last three with `--issuer` */
export async function tppsCommand(
  [verb, operand, ...more]: readonly string[],
  bank: () => BankClient,
  issuer: string | undefined,
): Promise<CommandOutput> {
  if (issuer !== undefined && (verb === 'list' || verb === 'add')) throw new UsageError();
  if (more.length > 0 || (verb === 'list') === (operand !== undefined)) throw new UsageError();
  switch (verb) {
    case 'list': {
      const { Tpps } = (await bank().call('GET', '/tpps')) as { Tpps: readonly Tpp[] };
      return { json: Tpps, text: Tpps.length === 0 ? 'no TPP is registered' : Tpps.map(line).join('\n') };
    }
    case 'suspend':
    case 'reinstate':
    case 'revoke-consents': {
      const query = issuer === undefined ? '' : `?issuer=${encodeURIComponent(issuer)}`;
      const tpp = (await bank().call('POST', `/tpps/${encodeURIComponent(operand ?? '')}/${verb}${query}`)) as
        Tpp | Proposal;
      return { json: tpp, text: lineOrProposal(tpp) };
    }
    case 'add':
      return add(operand ?? '', bank());
    default:
      throw new UsageError();
  }
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
      const done = index === 0 ? '' : ` (those before it are registered)`;
      throw new CommandFailed(`${file}: [${index}] ${clientId}: ${error.message}${done}`);
    }
  }
  return { json: added, text: added.map(lineOrProposal).join('\n') };
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

function proposed({ ProposalId, LapsesDateTime }: Proposal): string {
  return `nothing has changed yet: until ${LapsesDateTime} another operator may approve it with cases -- approve ${ProposalId}`;
}

function line({
  ClientId: clientId,
  Issuer: issuer,
  Status: status,
  Name: name,
  ConsentsRevokedDateTime: revoked,
}: Tpp): string {
  const known = name ?? '(not registered here)';
  return `${clientId}  ${issuer}  ${status}  ${known}${revoked === undefined ? '' : `, consents created up to ${revoked} are revoked`}`;
}
