import type { Command } from 'commander';
import type { CommandOutput } from '../../src/command-line/command.js';
import { readPseudonymKeys } from '../../src/config/trail-command.js';
import { customerReport } from '../../src/trail/customer-report.js';
import { pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import { partIn } from '../../src/trail/stored-event.js';
import { idForms, why } from '../../src/trail/why.js';
import { count } from '../../src/trail/words.js';
import type { CommandContext } from '../command-settings.js';
import { addEvidence } from './evidence.command.js';
import { askedTime } from './asked-time.js';
import { load, requestsOfTpp } from './counts.js';
import { searchOf } from './duckdb-search.js';
import { exportEvents } from './export.js';
import { addSearch, searchTrail, type SearchOptions, type Note } from './search.js';
import { tppNames } from './tpp-names.js';
import { customerText, hasGaps, searchedText, requestsOfTppText, tableText, whyText } from './texts.js';

export function addTrail(program: Command, context: CommandContext): void {
  const { answer, note } = context;
  const trail = program
    .command('trail')
    .description('Searches and checks the decision trail (docs/operate/trail.md describes its files).');
  addSearch(trail, 'why', 'explains each event with an interaction id, or with an error id')
    .argument('<ID>')
    .action(async (id: string, options: SearchOptions) => answer(await explained(id, options, note)));
  addSearch(trail, 'customer', 'shows who read a customer’s data, under which consents; needs PSEUDONYM_KEY')
    .argument('<REF>')
    .action(async (ref: string, options: SearchOptions) => answer(await customer(ref, options, note)));
  addSearch(trail, 'tpp', 'counts the requests of a TPP, by endpoint and reason of refusal')
    .argument('<CLIENT_ID>')
    .action(async (clientId: string, options: SearchOptions) => answer(await requests(clientId, options, note)));
  addSearch(trail, 'load', 'counts the requests by TPP, by endpoint and by hour').action(
    async (options: SearchOptions) => answer(await loads(options, note)),
  );
  addSearch(trail, 'export', 'writes the events into a new file')
    .requiredOption('--out <FILE>', 'the ending names the format: .ndjson, .csv or .parquet')
    .action(async (options: SearchOptions & { readonly out: string }) => answer(await exported(options, note)));
  addSearch(trail, 'index', 'makes the Parquet files that speed up the searches').action(
    async (options: SearchOptions) => answer(await indexed(options, note)),
  );
  addEvidence(trail, context);
}

function explained(id: string, options: SearchOptions, note: Note): Promise<CommandOutput> {
  const needed = { ...askedTime(options), texts: idForms(id) };
  return searchTrail(
    options,
    note,
    async (trail) => {
      const found = await why(searchOf(trail), id);
      const events = found.explanations.map(({ event }) => event);
      const tpps = events.flatMap((event) => [event, partIn(event, 'target')]);
      const names = await tppNames(tpps, trail.searched, note);
      const named = { ...found, explanations: events.map((event) => names.explained(event)) };
      const isFound = named.explanations.length > 0;
      const incomplete = !isFound && hasGaps(named.searched);
      return { json: named, text: whyText(named), failed: !isFound && !incomplete, incomplete };
    },
    needed,
  );
}

function customer(ref: string, options: SearchOptions, note: Note): Promise<CommandOutput> {
  return searchTrail(
    options,
    note,
    async (trail, time) => {
      const pseudonyms = readPseudonymKeys().map((secret) => pseudonymOfCustomer(secret, ref));
      const report = await customerReport(searchOf(trail), pseudonyms, time);
      const { reads, consents, authorisations, searched } = report;
      const { named, shown } = await tppNames([...reads, ...consents, ...authorisations], searched, note);
      const by = (form: typeof shown) => ({
        ...report,
        reads: reads.map(form),
        consents: consents.map(form),
        authorisations: authorisations.map(form),
      });
      return { json: by(named), text: customerText(by(shown)), incomplete: hasGaps(searched) };
    },
    // A consent may be older than the time.
    {},
  );
}

function requests(tpp: string, options: SearchOptions, note: Note): Promise<CommandOutput> {
  return searchTrail(options, note, async (trail, time) => {
    const found = await requestsOfTpp(trail, tpp, time);
    const tpps = found.map(({ issuer }) => ({ tpp, issuer }));
    const { named } = await tppNames(tpps, trail.searched, note);
    const name = tpps.map((each) => named(each).name).find((each) => each !== undefined);
    return {
      json: { tpp, ...(name !== undefined && { name }), requests: found, searched: trail.searched },
      text: `${requestsOfTppText(tpp, name, found)}\n\n${searchedText(trail.searched)}`,
      incomplete: hasGaps(trail.searched),
    };
  });
}

function loads(options: SearchOptions, note: Note): Promise<CommandOutput> {
  return searchTrail(options, note, async (trail, time) => {
    const [tpps, endpoints, hours] = [
      await load(trail, 'tpps', time),
      await load(trail, 'endpoints', time),
      await load(trail, 'hours', time),
    ];
    const { named, shown } = await tppNames(tpps, trail.searched, note);
    const shownTpps = tpps
      .map(shown)
      .map(({ tpp, issuer: _issuer, name, ...figures }) => ({ name: tpp ?? name, ...figures }));
    const text = `By TPP\n${tableText(shownTpps)}\n\nBy endpoint\n${tableText(endpoints)}\n\nBy hour\n${tableText(hours)}\n\n${searchedText(trail.searched)}`;
    return {
      json: { tpps: tpps.map(named), endpoints, hours, searched: trail.searched },
      text,
      incomplete: hasGaps(trail.searched),
    };
  });
}

function exported(options: SearchOptions & { readonly out: string }, note: Note): Promise<CommandOutput> {
  const { out: file } = options;
  return searchTrail(options, note, async (trail, time) => {
    const events = await exportEvents(trail, time, file);
    return {
      json: { file, events, searched: trail.searched },
      text: `${file}: ${count(events, 'event')}\n${searchedText(trail.searched)}`,
      incomplete: hasGaps(trail.searched),
    };
  });
}

function indexed(options: SearchOptions, note: Note): Promise<CommandOutput> {
  return searchTrail(options, note, ({ searched, indexed: days }) =>
    Promise.resolve({
      json: { indexed: days, searched },
      text: `${days.length === 0 ? 'Every closed day has its index.' : `Indexed: ${days.join(', ')}`}\n${searchedText(searched)}`,
    }),
  );
}
