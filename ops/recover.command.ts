import { readdir } from 'node:fs/promises';
import type { Command } from 'commander';
import { BootError } from '../src/config/boot-error.js';
import { parseBodyDateTime } from '../src/open-banking/iso8601.js';
import { readWithdrawals, type WithdrawalsInTrail } from '../src/trail/read-withdrawals.js';
import { trailKey } from '../src/trail/root-record.js';
import { dayOfDroppedFile, isDay } from '../src/trail/segment-names.js';
import type { StoredWithdrawal } from '../src/trail/segment-pass.js';
import { pseudonymKeyId } from '../src/trail/pseudonyms.js';
import { count } from '../src/trail/words.js';
import { CommandFailed, type CommandOutput } from '../src/command-line/command.js';
import { several } from '../src/command-line/command-line.js';
import type { CommandContext, CommandSettings } from './command-settings.js';
import { recorded } from './recorded.js';

export interface RecoverOptions {
  readonly since: string;
  /** The folders of all instances. */
  readonly trail?: readonly string[];
}

export function addRecover(program: Command, context: CommandContext): void {
  program
    .command('recover')
    .summary('as the serving role: repeats withdrawals that a restored backup does not have')
    .description(
      'as the serving role, with TRAIL_KEY, before a gateway serves a restored backup: repeats the withdrawals of the trail ' +
        'that the backup does not have. PSEUDONYM_KEY is needed where an account left a consent',
    )
    .requiredOption('--since <T>', 'a date-time with its zone, no later than the backup’s')
    .addOption(several('--trail <DIR>', 'the trail of an instance, in place of TRAIL_DIR or DATA_DIR/trail'))
    .action(async (options: RecoverOptions) =>
      context.answer(await recorded(context, { command: 'recover' }, () => recoverCommand(options, context))),
    );
}

/**
 * Withdrawals of this time before T are applied as well. The gateway writes the event before it makes the change, so a backup
 * may lack the change. And the clock from which T was read may differ from the gateway's. Applying one twice is safe.
 */
const marginMs = 5 * 60_000;

interface Counts {
  applied: number;
  already: number;
  unknown: number;
}

/**
 * `recover --since T [--trail DIR]...`: makes the withdrawals of the trail again in a restored database. It works on the
 * database itself, before any gateway serves it. It only takes access away, so it applies every line that a gateway wrote, and
 * then names what is missing.
 */
async function recoverCommand(
  { since, trail }: RecoverOptions,
  {
    trailFolder,
    trailKey: secret,
    dataKeys,
    openDatabase,
  }: Pick<CommandSettings, 'trailFolder' | 'trailKey' | 'dataKeys' | 'openDatabase'>,
): Promise<CommandOutput> {
  const sinceMs = readSince(since) - marginMs;
  const folders = trail ?? [trailFolder()];
  for (const folder of folders) await refuseUnusable(folder, new Date(sinceMs).toISOString().slice(0, 10));
  const found = await readWithdrawals(folders, sinceMs, trailKey(secret()));
  const pseudonymKeys = keysOfNames(found.withdrawals, dataKeys);
  // Loaded only for this command: the database's client is large.
  const [{ RecoveryStore }, { deleteTppAgain }] = await Promise.all([
    import('../src/consents/recovery.store.js'),
    import('../src/authorisation-server/tpps/ended-tpps.store.js'),
  ]);
  const prisma = await openDatabase();
  const counts: Counts = { applied: 0, already: 0, unknown: 0 };
  const suspended: StoredWithdrawal[] = [];
  try {
    const store = new RecoveryStore(prisma, deleteTppAgain, pseudonymKeys);
    for (const withdrawal of found.withdrawals) {
      const outcome = await store.apply(withdrawal);
      counts[outcome]++;
      if (withdrawal.event === 'tpp-suspended' && outcome === 'applied') suspended.push(withdrawal);
    }
  } catch (error) {
    if (error instanceof BootError) throw error;
    const done = counts.applied + counts.already + counts.unknown;
    throw new CommandFailed(
      `the database failed at withdrawal ${done + 1} of ${found.withdrawals.length}: fix the database and run this again; nothing is applied twice`,
    );
  } finally {
    await prisma.onApplicationShutdown();
  }
  return output(found, sinceMs, counts, suspended);
}

function output(
  { withdrawals, segments, faults, notes }: WithdrawalsInTrail,
  sinceMs: number,
  counts: Counts,
  suspended: readonly StoredWithdrawal[],
): CommandOutput {
  const text = [
    ...notes,
    ...faults,
    ...suspended.map(
      ({ issuer, subject }) =>
        `the TPP ${subject} of the issuer ${issuer} is suspended: if the bank has reinstated it since, reinstate it again once a gateway runs`,
    ),
    `${count(withdrawals.length, 'withdrawal')} since ${new Date(sinceMs).toISOString()}, five minutes before --since, in ` +
      `${count(segments, 'segment')}: ${counts.applied} applied, ${counts.already} already done, ${counts.unknown} of an id that this database does not know`,
    ...(faults.length > 0 ? [advice] : []),
  ].join('\n');
  const json = {
    withdrawals: withdrawals.length,
    segments,
    ...counts,
    suspended: suspended.map(({ issuer, subject }) => ({ issuer, tpp: subject })),
    faults,
    notes,
  };
  return { json, text, failed: faults.length > 0 };
}

const advice =
  'The trail is not as the gateways wrote it, so withdrawals may be missing. Everything that could be read was applied. Find out ' +
  'who changed the files, restore them from a copy, and run this again. Where TRAIL_KEY was changed since the backup, run this ' +
  'again with the previous key.';

/** @throws CommandFailed where the folder is not a trail, or the day or a later one was dropped */
async function refuseUnusable(folder: string, firstDay: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`the trail ${folder} cannot be read (${error.code})`);
  });
  if (!names.some(isDay))
    throw new CommandFailed(`${folder} holds no day of a trail: name the TRAIL_DIR of each instance with --trail`);
  const dropped = names.flatMap((name) => dayOfDroppedFile(name) ?? []).filter((day) => day >= firstDay);
  if (dropped.length > 0)
    throw new CommandFailed(
      `--since is before the kept days of the trail ${folder}: ${dropped.sort().at(-1)} was deleted, and its withdrawals are ` +
        'not known. Nothing was changed. Restore a later backup, or give with --trail a copy of the folder that still has the day',
    );
}

/**
 * The keys by which the accounts that left consents are known; none where no account left one.
 * @throws CommandFailed where one is missing
 */
function keysOfNames(
  withdrawals: readonly StoredWithdrawal[],
  dataKeys: CommandSettings['dataKeys'],
): readonly string[] {
  const ids = withdrawals.filter(({ event }) => event === 'account-left').map(({ account }) => account.split('.')[0]);
  if (ids.length === 0) return [];
  const keys = dataKeys('PSEUDONYM_KEY');
  const known = keys.map(pseudonymKeyId);
  const missing = new Set(ids.filter((id) => id === undefined || !known.includes(id)));
  if (missing.size === 0) return keys;
  throw new CommandFailed(
    `PSEUDONYM_KEY lacks keys (${[...missing].join(', ')}) under which the trail names accounts that left consents: ` +
      'give it every key that the gateways have had since --since. Nothing was changed',
  );
}

/** With a zone: a time that is an hour too late would omit withdrawals. */
function readSince(text: string): number {
  const time = /(z|[+-]\d\d:?\d\d)$/i.test(text) ? parseBodyDateTime(text) : undefined;
  if (time === undefined)
    throw new CommandFailed('--since must be a date-time with its zone, such as 2026-05-02T09:30:00Z');
  return time.atMs;
}
