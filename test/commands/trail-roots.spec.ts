import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CarriedOut } from '../../ops/command-trail.js';
import { segmentFiles } from '../../src/trail/segment-files.js';
import { freshRoles, postgresUrl, type FreshRoles } from '../support/fresh-database.js';
import { Stack } from '../support/stack.js';
import { trailKeys } from '../support/trail-keys.js';
import { opsCommand } from '../support/ops-command.js';

// The embedded database belongs to one process: the tools read it by the files only.
(postgresUrl === undefined ? describe.skip : describe)('the verification of a gateway’s trail by its database', () => {
  let database: FreshRoles;
  let folder: string;
  const command = async (url: string | undefined, name: string, ...words: string[]) => {
    const { TRAIL_KEY: key } = process.env;
    Object.assign(process.env, { TRAIL_KEY: trailKeys.TRAIL_KEY });
    if (url !== undefined) process.env['DATABASE_URL'] = url;
    const recorded: CarriedOut[] = [];
    const record = async (carriedOut: CarriedOut): Promise<void> => void recorded.push(carriedOut);
    const result = await opsCommand(['trail', name, '--trail', folder, ...words], { record });
    delete process.env['DATABASE_URL'];
    if (key === undefined) delete process.env['TRAIL_KEY'];
    else process.env['TRAIL_KEY'] = key;
    return { ...result, recorded };
  };
  const verify = (url: string | undefined) => command(url, 'verify');
  const url = () => database.serving.url;

  beforeAll(async () => {
    database = await freshRoles(postgresUrl ?? '');
    const options = { database: { config: database.serving, drop: database.drop } };
    const first = await Stack.start(options);
    await first.ask('/accounts', await first.consent({ persona: 'saver' }));
    await first.close();
    folder = first.config.trail.directory;
    const second = await Stack.start({ ...options, config: { trail: first.config.trail } });
    await second.ask('/accounts', await second.consent({ persona: 'saver' }));
    await second.close();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await database.drop();
  });

  it('finds the segments of two runs whole, by the roots in the database', async () => {
    const { code, text } = await verify(url());
    expect(text).toMatch(
      / of 2 instances \(.*\) have not changed since they were written\. They are covered by 2 roots\.\nThe roots come from the database\.\nThe last record is 2, with/,
    );
    expect(code).toBe(0);
  });

  /** Both runs have the same time, so the names of their segments do not tell which was first. */
  async function latest(): Promise<{ segment: string; path: string; rootPath: string }> {
    for (const { segment, path } of (await segmentFiles(folder)).segments) {
      const rootPath = path.replace(/[.]ndjson$/, '.root.json');
      const { sequence } = JSON.parse(await readFile(rootPath, 'utf8')) as { sequence: number };
      if (sequence === 2) return { segment, path, rootPath };
    }
    throw new Error('there is no second record');
  }

  it('finds a root file that is not the record of the database, and ignores one that is later than its last', async () => {
    const { rootPath } = await latest();
    const record = await readFile(rootPath, 'utf8');
    await writeFile(rootPath, record.replace('"sequence":2', '"sequence":1'));
    expect((await verify(url())).text).toContain('the record in its file is not the record 1 of the database');
    await writeFile(rootPath, record.replace('"sequence":2', '"sequence":3'));
    expect((await verify(url())).code).toBe(0);
    await writeFile(rootPath, record);
  });

  it('finds that the last segment was removed with its root, which the files cannot show', async () => {
    const { segment, path, rootPath } = await latest();
    await rm(path);
    await rm(rootPath);
    expect((await verify(undefined)).code).toBe(0);
    const { code, text } = await verify(url());
    expect([code, text]).toEqual([1, expect.stringContaining(`FAULT (missing): ${segment}: the segment is missing`)]);
  });

  it('distinguishes segments that an operator has recorded as lost from removed ones, also without the database', async () => {
    const lost = (...words: string[]) => command(database.maintenance.url, 'lost', ...words);
    expect((await command(url(), 'lost', '--reason', 'a gateway in other hands')).told).toEqual([
      'DATABASE_URL must be that of the maintenance role',
    ]);
    expect((await lost('--reason', 'x', '--to', '2026-01-01')).told).toEqual([
      'no segment of these days is missing: nothing was recorded',
    ]);
    expect((await lost()).told.join()).toContain("option '--reason <TEXT>' not specified");
    expect((await lost('--reason', 'two\nlines')).told.join()).toContain('--reason is one line');
    const { code, text, told, recorded } = await lost('--reason', 'the disk of machine b died');
    expect([told, recorded]).toEqual([[], [{ command: 'trail lost', outcome: 'done' }]]);
    expect([code, text]).toEqual([0, expect.stringMatching(/^Recorded as lost:\n2026\S+$/)]);
    for (const from of [url(), undefined]) {
      const verdict = await verify(from);
      expect([verdict.code, verdict.text]).toEqual([
        0,
        expect.stringMatching(
          /^Lost, as recorded at 20\S+: 1 segment with \d+ events \(the disk of machine b died\)$/m,
        ),
      ]);
    }
    // The loss covers no segment that is removed later.
    const [file] = (await segmentFiles(folder)).segments;
    await rm(file?.path ?? '');
    expect((await verify(url())).text).toContain(`FAULT (missing): ${file?.segment}: the segment is missing`);
  });

  it('says in one line that the database does not answer', async () => {
    const { code, told } = await verify('postgresql://nobody@127.0.0.1:9/none');
    expect([code, told.length]).toEqual([1, 1]);
    expect(told[0]).toContain('DATABASE_URL');
  });
});
