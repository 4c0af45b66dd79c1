import type { Command } from 'commander';
import { CommandFailed, UsageError, type CommandOutput } from '../../src/command-line/command.js';
import { several } from '../../src/command-line/command-line.js';
import { readTrailKey } from '../../src/config/trail-command.js';
import { trailKey } from '../../src/trail/root-record.js';
import { printableJson } from '../../src/open-banking/printable.js';
import { idForms } from '../../src/trail/why.js';
import type { CommandContext } from '../command-settings.js';
import { recorded } from '../recorded.js';
import { askedFolders, trailOption } from './asked-folders.js';
import { askedTime } from './asked-time.js';
import { publicKeys, publicKeyText } from './public-keys.js';
import { addSearch, searchTrail, type SearchOptions, type Note } from './search.js';
import { verdictText } from './texts.js';

// The modules that open PostgreSQL are loaded by the commands that need them: the others start in three quarters of the time.

interface KeyOption {
  readonly key?: readonly string[];
}

/** Whether the trail is as it was written. */
export function addEvidence(trail: Command, context: CommandContext): void {
  const { answer, clock, note } = context;
  const keyOption = () => several('--key <KEY>', 'a public key of the roots, in place of TRAIL_KEY');
  trail
    .command('verify')
    .description(
      'checks that no event was changed, added or removed; reads the roots from DATABASE_URL, or else from files',
    )
    .addOption(trailOption())
    .addOption(keyOption())
    .option('--from <DAY>', 'only the segments of this day and later ones: 2026-11-01')
    .action(async (options: SearchOptions & KeyOption) => answer(await verified(options)));
  addSearch(
    trail,
    'lost',
    'records the missing segments as lost; needs TRAIL_KEY, and DATABASE_URL of the maintenance role',
  )
    .requiredOption('--reason <TEXT>', 'the cause, at most 300 characters')
    .action(async (options: SearchOptions & { readonly reason: string }) =>
      answer(await recorded(context, { command: 'trail lost' }, () => lost(options, clock.nowMs(), note))),
    );
  addSearch(
    trail,
    'prove',
    'prints a proof of the request for ops/verify-proof.mjs, which needs neither the trail nor the database',
  )
    .argument('<INTERACTION_ID>')
    .addOption(keyOption())
    .action(async (id: string, options: SearchOptions & KeyOption) => answer(await proven(id, options, note)));
  trail
    .command('key')
    .description('prints the public key of TRAIL_KEY, which verifies roots and proofs')
    .action(() => answer(ownKey()));
}

async function verified(options: SearchOptions & KeyOption): Promise<CommandOutput> {
  const { from = '' } = askedTime(options);
  const keys = publicKeys(readTrailKey(), options.key ?? []);
  const [{ verify }, { rootRecords }] = await Promise.all([import('./verify.js'), import('./root-records.js')]);
  const folders = askedFolders(options);
  const verdict = await verify(folders, await rootRecords(folders), keys, from.slice(0, 10));
  return { json: verdict, text: verdictText(verdict), failed: verdict.faults.length > 0 };
}

async function lost(
  { reason, ...options }: SearchOptions & { readonly reason: string },
  nowMs: number,
  note: Note,
): Promise<CommandOutput> {
  if (!/^[^\p{C}]{1,300}$/u.test(reason)) throw new UsageError('--reason is one line of at most 300 characters');
  const { from = '', to } = askedTime(options);
  const key = neededKey();
  const { recordLoss } = await import('./lost.js');
  const days = {
    from: from.slice(0, 10),
    to: to === undefined ? '9999' : new Date(Date.parse(to) - 1).toISOString().slice(0, 10),
  };
  const loss = await recordLoss(askedFolders(options), reason, days, { key, nowMs, note });
  return { json: loss, text: `Recorded as lost:\n${loss.lost.join('\n')}` };
}

function proven(id: string, options: SearchOptions & KeyOption, note: Note): Promise<CommandOutput> {
  const needed = { ...askedTime(options), texts: idForms(id) };
  return searchTrail(
    options,
    note,
    async (trail) => {
      const keys = publicKeys(readTrailKey(), options.key ?? []);
      const [{ prove }, { rootRecords }] = await Promise.all([import('./prove.js'), import('./root-records.js')]);
      const proof = await prove(id, trail, await rootRecords(askedFolders(options)), keys);
      return { json: proof, text: printableJson(proof, 2) };
    },
    needed,
  );
}

function ownKey(): CommandOutput {
  const { keyId, publicKey } = neededKey();
  const text = publicKeyText(publicKey);
  return { json: { keyId, publicKey: text }, text };
}

function neededKey() {
  const secret = readTrailKey();
  if (secret === undefined) throw new CommandFailed('TRAIL_KEY is not set: it must be that of the gateways');
  return trailKey(secret);
}
