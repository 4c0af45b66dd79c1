import { SystemClock } from '../../src/clock/clock.js';
import { CommandFailed, UsageError, type CommandOutput } from '../../src/commands/command.js';
import { readPseudonymKeys, readTrailKey } from '../../src/config/trail-command.js';
import { customerReport } from '../../src/trail/customer-report.js';
import { pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import { trailKey } from '../../src/trail/root-record.js';
import { printableJson } from '../../src/open-banking/printable.js';
import { partIn } from '../../src/trail/stored-event.js';
import { idForms, why } from '../../src/trail/why.js';
import { count } from '../../src/trail/words.js';
import { neededOption, type Command, type CommandTable, type Given } from '../command-line.js';
import { askedFolders, trailOption } from './asked-folders.js';
import { askedTime, timeOptions } from './asked-time.js';
import { load, requestsOfTpp } from './counts.js';
import { searchOf } from './duckdb-search.js';
import { exportEvents } from './export.js';
import { publicKeys, publicKeyText } from './public-keys.js';
import { withTrail, type AskedTime, type SearchedTrail } from './searched-trail.js';
import { tppNames } from './tpp-names.js';
import { gapsIn } from './gaps.js';
import { customerText, hasGaps, lookedText, requestsOfTppText, tableText, verdictText, whyText } from './texts.js';

// The modules that open PostgreSQL are loaded by the commands that need them: the others start in three quarters of the time.
const key = { key: { value: 'KEY', help: 'a public key of the roots, in place of TRAIL_KEY', several: true } } as const;

/** A command that searches the trail in the time that it is given. */
const search = (
  { needs, ...parts }: Omit<Command, 'run'> & { readonly needs?: 'whole trail' | 'events with the operand' },
  answer: (
    trail: SearchedTrail,
    operand: string,
    time: AskedTime,
    given: Given,
    tell: (line: string) => void,
  ) => CommandOutput | Promise<CommandOutput>,
): Command => ({
  ...parts,
  options: { ...timeOptions, ...parts.options },
  run: async (given, tell) => {
    const time = askedTime(given);
    const [operand = ''] = given.operands;
    const texts = needs === 'events with the operand' ? { texts: idForms(operand) } : {};
    const needed = needs === 'whole trail' ? {} : { ...time, ...texts };
    const folders = askedFolders(given);
    return withTrail(folders, needed, tell, async (trail) => {
      const looked = { ...trail.looked, ...(await gapsIn(trail, folders, time, tell)) };
      return answer({ ...trail, looked }, operand, time, given, tell);
    });
  },
});

const commands: Readonly<Record<string, Command>> = {
  why: search(
    {
      help: 'explains each event with an interaction id, or with an error id',
      operands: ['ID'],
      needs: 'events with the operand',
    },
    async (trail, id, time, given, tell) => {
      const answer = await why(searchOf(trail), id);
      const events = answer.explanations.map(({ event }) => event);
      const tpps = events.flatMap((event) => [event, partIn(event, 'target')]);
      const names = await tppNames(tpps, trail.looked, tell);
      const found = { ...answer, explanations: events.map((event) => names.explained(event)) };
      const isFound = found.explanations.length > 0;
      const incomplete = !isFound && hasGaps(found.looked);
      return { json: found, text: whyText(found), failed: !isFound && !incomplete, incomplete };
    },
  ),
  customer: search(
    {
      help: 'who read a customer’s data, under which consents; needs PSEUDONYM_KEY',
      operands: ['REF'],
      // A consent may be older than the time.
      needs: 'whole trail',
    },
    async (trail, ref, time, given, tell) => {
      const pseudonyms = readPseudonymKeys().map((secret) => pseudonymOfCustomer(secret, ref));
      const report = await customerReport(searchOf(trail), pseudonyms, time);
      const { reads, consents, authorisations, looked } = report;
      const { named, shown } = await tppNames([...reads, ...consents, ...authorisations], looked, tell);
      const by = (form: typeof shown) => ({
        ...report,
        reads: reads.map(form),
        consents: consents.map(form),
        authorisations: authorisations.map(form),
      });
      return { json: by(named), text: customerText(by(shown)), incomplete: hasGaps(looked) };
    },
  ),
  tpp: search(
    { help: 'the requests of a TPP, by endpoint and reason of refusal', operands: ['CLIENT_ID'] },
    async (trail, tpp, time, given, tell) => {
      const requests = await requestsOfTpp(trail, tpp, time);
      const tpps = requests.map(({ issuer }) => ({ tpp, issuer }));
      const { named } = await tppNames(tpps, trail.looked, tell);
      const name = tpps.map((each) => named(each).name).find((each) => each !== undefined);
      return {
        json: { tpp, ...(name !== undefined && { name }), requests, looked: trail.looked },
        text: `${requestsOfTppText(tpp, name, requests)}\n\n${lookedText(trail.looked)}`,
        incomplete: hasGaps(trail.looked),
      };
    },
  ),
  load: search({ help: 'the load: by TPP, by endpoint and by hour' }, async (trail, _, time, given, tell) => {
    const [tpps, endpoints, hours] = [
      await load(trail, 'tpps', time),
      await load(trail, 'endpoints', time),
      await load(trail, 'hours', time),
    ];
    const { named, shown } = await tppNames(tpps, trail.looked, tell);
    const shownTpps = tpps
      .map(shown)
      .map(({ tpp, issuer: _issuer, name, ...figures }) => ({ name: tpp ?? name, ...figures }));
    const text = `By TPP\n${tableText(shownTpps)}\n\nBy endpoint\n${tableText(endpoints)}\n\nBy hour\n${tableText(hours)}\n\n${lookedText(trail.looked)}`;
    return {
      json: { tpps: tpps.map(named), endpoints, hours, looked: trail.looked },
      text,
      incomplete: hasGaps(trail.looked),
    };
  }),
  export: search(
    {
      help: 'writes the events into a new file',
      options: { out: { value: 'FILE', help: 'its ending is its form: .ndjson, .csv or .parquet' } },
    },
    async (trail, _, time, given) => {
      const file = neededOption(given, 'out');
      const events = await exportEvents(trail, time, file);
      return {
        json: { file, events, looked: trail.looked },
        text: `${file}: ${count(events, 'event')}\n${lookedText(trail.looked)}`,
        incomplete: hasGaps(trail.looked),
      };
    },
  ),
  index: search({ help: 'makes the Parquet files by which the others search' }, ({ looked, indexed }) => ({
    json: { indexed, looked },
    text: `${indexed.length === 0 ? 'Every closed day has its index.' : `Indexed: ${indexed.join(', ')}`}\n${lookedText(looked)}`,
  })),
  verify: {
    help: 'whether every event is as it was written; the roots come from DATABASE_URL, or else from files',
    options: { ...key, from: { value: 'DAY', help: 'only the segments of this day and later ones: 2026-11-01' } },
    run: async (given) => {
      const { from = '' } = askedTime(given);
      const keys = publicKeys(readTrailKey(), given.options['key'] ?? []);
      const [{ verify }, { rootRecords }] = await Promise.all([import('./verify.js'), import('./root-records.js')]);
      const verdict = await verify(
        askedFolders(given),
        await rootRecords(askedFolders(given)),
        keys,
        from.slice(0, 10),
      );
      return { json: verdict, text: verdictText(verdict), failed: verdict.faults.length > 0 };
    },
  },
  lost: {
    help: 'records that the segments which no folder has are lost; needs TRAIL_KEY, and DATABASE_URL of the maintenance role',
    options: { ...timeOptions, reason: { value: 'TEXT', help: 'the cause, at most 300 characters' } },
    run: async (given, tell) => {
      const reason = neededOption(given, 'reason');
      if (!/^[^\p{C}]{1,300}$/u.test(reason)) throw new UsageError('--reason is one line of at most 300 characters');
      const { from = '', to } = askedTime(given);
      const secret = readTrailKey();
      if (secret === undefined) throw new CommandFailed('TRAIL_KEY is not set: it must be that of the gateways');
      const { recordLoss } = await import('./lost.js');
      const days = {
        from: from.slice(0, 10),
        to: to === undefined ? '9999' : new Date(Date.parse(to) - 1).toISOString().slice(0, 10),
      };
      const parts = { key: trailKey(secret), nowMs: new SystemClock().nowMs(), tell };
      const loss = await recordLoss(askedFolders(given), reason, days, parts);
      return { json: loss, text: `Recorded as lost:\n${loss.lost.join('\n')}` };
    },
  },
  prove: search(
    {
      help: 'a proof of the request for operations/verify-proof.mjs, which needs neither the trail nor the database',
      operands: ['INTERACTION_ID'],
      options: key,
      needs: 'events with the operand',
    },
    async (trail, id, _, given) => {
      const keys = publicKeys(readTrailKey(), given.options['key'] ?? []);
      const [{ prove }, { rootRecords }] = await Promise.all([import('./prove.js'), import('./root-records.js')]);
      const proof = await prove(id, trail, await rootRecords(askedFolders(given)), keys);
      return { json: proof, text: printableJson(proof, 2) };
    },
  ),
  key: {
    help: 'the public key of TRAIL_KEY, which verifies roots and proofs',
    run: () => {
      const secret = readTrailKey();
      if (secret === undefined) throw new CommandFailed('TRAIL_KEY is not set: it must be that of the gateways');
      const { keyId, publicKey } = trailKey(secret);
      const text = publicKeyText(publicKey);
      return { json: { keyId, publicKey: text }, text };
    },
  },
};

export const trailCommands: CommandTable = {
  name: 'trail',
  summary: 'Questions to the trail of decisions (docs/trail.md describes its files).',
  commands,
  common: trailOption,
};
