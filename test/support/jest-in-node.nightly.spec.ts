// Nightly: it tests a tool, our runner of tests.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from './until.js';

// A variable, because the compiler has no types of a configuration.
const configuration = '../../jest.config.js';
const { default: ours } = (await import(configuration)) as { readonly default: { readonly testTimeout: number } };

interface Report {
  readonly numPassedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { title: string; status: string; failureMessages: readonly string[] }[];
  }[];
}

const lastLine = (text: string): number => text.trimEnd().split('\n').length;

const globals = `import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';`;
const shared = `export class Counter { static count = 0; }`;
/** Each counts in the module that all of them import. */
const counting = `${globals}
import { Counter } from './counter.js';
it('counts', () => { expect(++Counter.count).toBeLessThan(3); });
it('prints its count', () => { console.warn('count', Counter.count); });`;
const failing = `${globals}
interface Erased { readonly lines: number }
interface AlsoErased extends Erased { readonly more: number }
const wrong: AlsoErased = { lines: 1, more: 2 };
it('fails', () => {
  expect(wrong.lines).toBe(wrong.more);
});`;
const rejecting = `${globals}
it('forgets a promise', async () => {
  void Promise.reject(new Error('forgotten'));
  await new Promise((resolve) => setTimeout(resolve, 50));
});`;
const hanging = `${globals}
it('hangs', () => new Promise(() => undefined), 100);
it('goes on', () => expect(1).toBe(1));`;
const stuck = `${globals}
it('hangs', () => new Promise(() => undefined));
it('goes on', () => expect(1).toBe(1));
describe('block', () => {
  beforeAll(() => new Promise(() => undefined));
  it('needs a hook that hangs', () => undefined);
});
it('goes on after it', () => expect(1).toBe(1));`;
const broken = `${globals}
throw new Error('at the top');`;
const hooked = `${globals}
describe('block', () => {
  beforeAll(() => { throw new Error('in the hook'); });
  it('needs the hook', () => undefined);
});`;
const faking = `${globals}
afterEach(() => { jest.useRealTimers(); });
it('holds the time', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  let rung = false;
  setTimeout(() => { rung = true; }, 86_400_000);
  await new Promise((resolve) => setImmediate(resolve));
  jest.advanceTimersByTime(86_399_999);
  expect(rung).toBe(false);
  jest.advanceTimersByTime(1);
  expect(rung).toBe(true);
});`;

const root = join(import.meta.dirname, '../..');
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
/** A Jest process that is stopped leaves its temporary folder behind: it lies in the folder of this run. */
const environmentOf = (folder: string) => ({ PATH: process.env['PATH'], HOME: folder, TMPDIR: tmpdir() });

/** A project of test files that runs them as this project does. */
async function writeProject(tests: Readonly<Record<string, string>>, testTimeout?: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'jest-in-node-'));
  await mkdir(join(folder, 'tests'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tests/counter.ts'), shared);
  for (const [name, text] of Object.entries(tests)) await writeFile(join(folder, `tests/${name}.spec.ts`), text);
  const ours = pathToFileURL(join(root, 'jest.config.js')).href;
  await writeFile(
    join(folder, 'jest.config.js'),
    `import ours from ${JSON.stringify(ours)};
    const ofOurs = (path) => path.replace('<rootDir>', ${JSON.stringify(root)});
    export default {
      globalSetup: ofOurs(ours.globalSetup),
      testRunner: ofOurs(ours.testRunner), testEnvironment: ofOurs(ours.testEnvironment),
      testMatch: ours.testMatch, transform: ours.transform, workerIdleMemoryLimit: ours.workerIdleMemoryLimit,
      testTimeout: ${testTimeout ?? 'ours.testTimeout'},
    };`,
  );
  return folder;
}

async function runProject(folder: string): Promise<{ readonly report: Report; readonly printed: string }> {
  const output = join(folder, 'report.json');
  // It fails, because its tests do.
  const printed = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      [jest, '--maxWorkers=1', '--json', `--outputFile=${output}`, '--rootDir', folder, '--no-colors'],
      { cwd: folder, env: environmentOf(folder) },
      (_, stdout, stderr) => resolve(stdout + stderr),
    ),
  );
  return { report: JSON.parse(await readFile(output, 'utf8')) as Report, printed };
}

describe('Jest with modules that Node loads', () => {
  let folder: string;
  let report: Report;
  let printed: string;

  beforeAll(async () => {
    folder = await writeProject({
      failing,
      rejecting,
      hanging,
      broken,
      hooked,
      faking,
      'one-counting': counting,
      'two-counting': counting,
    });
    ({ report, printed } = await runProject(folder));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const of = (file: string) => {
    const found = report.testResults.find(({ name }) => name.endsWith(`/${file}.spec.ts`));
    if (found === undefined) throw new Error(`no result of ${file}: ${printed}`);
    return found;
  };
  const statuses = (file: string) => of(file).assertionResults.map(({ title, status }) => [title, status]);

  it('reports a failure with the file and the line of the source', () => {
    expect(statuses('failing')).toEqual([['fails', 'failed']]);
    expect(of('failing').message).toContain(`tests/failing.spec.ts:${lastLine(failing) - 1}:`);
  });

  it('fails a test that leaves a rejection unhandled', () => {
    expect(statuses('rejecting')).toEqual([['forgets a promise', 'failed']]);
    expect(of('rejecting').message).toContain('forgotten');
  });

  it('ends a test that hangs at its limit, and runs the next one', () => {
    expect(statuses('hanging')).toEqual([
      ['hangs', 'failed'],
      ['goes on', 'passed'],
    ]);
  });

  it('reports a file that throws while it is loaded, with the line', () => {
    expect(of('broken')).toMatchObject({ status: 'failed', assertionResults: [] });
    expect(of('broken').message).toMatch(/at the top[^]*broken\.spec\.ts:2:/);
    expect(report.numRuntimeErrorTestSuites).toBe(1);
  });

  it('fails the tests that need a hook that throws', () => {
    expect(statuses('hooked')).toEqual([['needs the hook', 'failed']]);
  });

  it('keeps the timers real that a test excludes from the fake ones', () => {
    expect(statuses('faking')).toEqual([['holds the time', 'passed']]);
  });

  it('shares the modules of one worker between its files, and keeps the tests of each file separate', () => {
    for (const file of ['one-counting', 'two-counting'])
      expect(statuses(file)).toEqual([
        ['counts', 'passed'],
        ['prints its count', 'passed'],
      ]);
    expect(printed).toMatch(/count 1/);
    expect(printed).toMatch(/count 2/);
    expect(report.numPassedTests).toBe(6);
  });

  it('lets the worker end by itself', () => {
    expect(printed).not.toContain('failed to exit gracefully');
  });
});

describe('a test that hangs and states no limit', () => {
  it('ends after the limit of the configuration, and so does a hook, and the run goes on and ends', async () => {
    const folder = await writeProject({ stuck }, 1_000);
    try {
      const { report, printed } = await runProject(folder);
      const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
      expect(results.map(({ title, status }) => [title, status])).toEqual([
        ['hangs', 'failed'],
        ['goes on', 'passed'],
        ['needs a hook that hangs', 'failed'],
        ['goes on after it', 'passed'],
      ]);
      for (const { failureMessages } of results.filter(({ status }) => status === 'failed'))
        expect(failureMessages.join()).toContain('Exceeded timeout of 1000 ms');
      expect(printed).not.toContain('failed to exit gracefully');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has a minute in this project', () => {
    expect(ours.testTimeout).toBe(60_000);
  });
});

describe('the watch mode', () => {
  it('runs the tests of an edited module again, as it is now', async () => {
    const folder = await writeProject({ 'one-counting': counting });
    const watching = spawn(process.execPath, [jest, '--watchAll', '--rootDir', folder, '--no-colors'], {
      cwd: folder,
      env: environmentOf(folder),
    });
    const ended = once(watching, 'exit');
    try {
      let printed = '';
      for (const stream of [watching.stdout, watching.stderr])
        stream.on('data', (text: Buffer) => (printed += text.toString()));
      const result = async (words: string): Promise<void> => {
        await Promise.race([until(() => printed.includes(words) || printed.includes('failed to run')), ended]);
        expect(printed).toContain(words);
      };
      await result('2 passed, 2 total');
      await writeFile(join(folder, 'tests/counter.ts'), shared.replace('0', '41'));
      await result('1 failed, 1 passed, 2 total');
    } finally {
      watching.kill();
      await ended;
      await rm(folder, { recursive: true });
    }
  });
});
