import { BootError } from '../config/boot-error.js';
import type { JournalEntry } from '../consents/journal/journal-entry.dto.js';
import { tppId } from '../open-banking/tpp-id.js';
import { parseBodyDateTime } from '../open-banking/iso8601.js';
import { CommandFailed, UsageError, type CommandOutput, type CommandSettings } from './command.js';
import type { JournalContent } from './journal-files.js';

export interface RecoverOptions {
  readonly journal?: string | undefined;
  readonly since?: string | undefined;
}

/**
 * Entries of this time before T are applied as well. The gateway writes an entry before it makes the change, so a backup
 * may lack the change. And the clock from which T was read may differ from the gateway's. Applying an entry twice is safe.
 */
const marginMs = 5 * 60_000;

interface Counts {
  applied: number;
  already: number;
  unknown: number;
}

/**
 * `recover --journal DIR --since T`: makes the withdrawals of the journal again in a restored database. It works on the
 * database itself, before any gateway serves it. It changes nothing where a line of the journal is not authentic: the other
 * lines could reinstate a TPP whose later suspension is the changed line.
 */
export async function recoverCommand(
  options: RecoverOptions,
  { journalKey, openDatabase }: Pick<CommandSettings, 'journalKey' | 'openDatabase'>,
): Promise<CommandOutput> {
  const { journal } = options;
  if (journal === undefined || options.since === undefined) throw new UsageError();
  const sinceMs = readSince(options.since) - marginMs;
  // Loaded only for this command: the database's client is large.
  const [{ readJournal }, { RecoveryStore }, { recoveredTpps }] = await Promise.all([
    import('./journal-files.js'),
    import('../consents/journal/recovery.store.js'),
    import('../authorisation-server/tpps/recovered-tpps.store.js'),
  ]);
  const content = await readJournal(journal, sinceMs, journalKey());
  if (content.faults.length > 0) return refused(content);
  const { entries, files, notes } = content;
  const prisma = await openDatabase();
  const counts: Counts = { applied: 0, already: 0, unknown: 0 };
  try {
    const store = new RecoveryStore(prisma, recoveredTpps(prisma));
    const lastWords = lastWordOfEachTpp(entries);
    for (const entry of entries)
      counts[isWordOnTpp(entry) && lastWords.get(keyOfTpp(entry)) !== entry ? 'already' : await store.apply(entry)]++;
  } catch (error) {
    if (error instanceof BootError) throw error;
    const done = counts.applied + counts.already + counts.unknown;
    throw new CommandFailed(
      `the database failed at entry ${done + 1} of ${entries.length}: mend it and run this again; nothing is applied twice`,
    );
  } finally {
    await prisma.onApplicationShutdown();
  }
  const text = [
    ...notes,
    `${entries.length} entries since ${new Date(sinceMs).toISOString()}, five minutes before --since, in ${files} files: ` +
      `${counts.applied} applied, ${counts.already} already so, ${counts.unknown} of an id that this database does not know`,
  ].join('\n');
  return { json: json(content, counts), text };
}

function refused(content: JournalContent): CommandOutput {
  const { faults, notes } = content;
  const text = [
    ...notes,
    ...faults,
    `${faults.length} files are refused, and nothing was changed. Put them back from a copy and run this again. A file that ` +
      'was sealed under an earlier REVOCATION_JOURNAL_KEY: run this on it first, in a folder without the others, with ' +
      'that key. A file of which there is no copy: move it out of the folder, run this on the others, and end by hand ' +
      'the access that its lines name.',
  ].join('\n');
  return { json: json(content, { applied: 0, already: 0, unknown: 0 }), text, failed: true };
}

function json({ entries, files, faults, notes }: JournalContent, counts: Counts) {
  return { entries: entries.length, files, ...counts, faults, notes };
}

/** For a TPP that was suspended and reinstated, only the last entry counts. */
function lastWordOfEachTpp(entries: readonly JournalEntry[]): ReadonlyMap<string, JournalEntry> {
  return new Map(entries.filter(isWordOnTpp).map((entry) => [keyOfTpp(entry), entry]));
}

function keyOfTpp({ issuer = '', id }: JournalEntry): string {
  return tppId(issuer, id).key;
}

function isWordOnTpp({ event }: JournalEntry): boolean {
  return event === 'tpp-suspended' || event === 'tpp-reinstated';
}

/** With a zone: a time that is an hour too late would leave out withdrawals. */
function readSince(text: string): number {
  const time = /(z|[+-]\d\d:?\d\d)$/i.test(text) ? parseBodyDateTime(text) : undefined;
  if (time === undefined)
    throw new CommandFailed('--since must be a date-time with its zone, such as 2026-05-02T09:30:00Z');
  return time.atMs;
}
