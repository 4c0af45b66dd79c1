import { Session, type Profiler } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'undici';
import { ResourceReader } from '../../src/endpoint/resource-reader.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { loadProfile } from '../../src/profiles/load-profile.js';
import { accountPaths } from '../support/account-paths.js';
import { Stack, type ConsentedCustomer } from '../support/stack.js';

/** The files of the product. Metrics and the trail's writer, with its printable texts, work at the same time as a read, and are not part of it. */
const own = /^(src\/(?!observability\/|trail\/|clock\/|open-banking\/printable)|packages\/)/;

const root = packageRoot();
const fileOf = (url: string): string => relative(root, url.startsWith('file:') ? fileURLToPath(url) : url);

/** The calls of the product that lie between a controller and this function, the latest first. */
function callsBelowController(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const frames = (new Error().stack ?? '').split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  const calls = frames.filter((frame) => own.test(fileOf(/\(?((?:file:|\/)\S*):\d+:\d+\)?$/.exec(frame)?.[1] ?? '')));
  return calls.slice(
    0,
    calls.findIndex((frame) => frame.includes('.controller.ts:')),
  );
}

/** The files of the product of which a function was called since V8 began to count. */
function filesThatRan({ result }: Profiler.TakePreciseCoverageReturnType): string[] {
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => (url.startsWith('file:') ? fileOf(url) : ''))
    .filter((file) => own.test(file))
    .sort();
}

describe('a read of the core', () => {
  const { read, resources } = ResourceReader.prototype;
  const { dispatch } = Pool.prototype;
  const session = new Session();
  let stack: Stack;
  let customer: ConsentedCustomer;
  let calls: string[] = [];
  const files: string[][] = [];

  beforeAll(async () => {
    Pool.prototype.dispatch = function (...given): boolean {
      calls = callsBelowController();
      return dispatch.apply(this, given);
    };
    stack = await Stack.start({ rules: { pageSize: 5 } });
    customer = await stack.consent({ persona: 'complete' });
  });
  afterAll(async () => {
    Object.assign(ResourceReader.prototype, { read, resources });
    Pool.prototype.dispatch = dispatch;
    session.disconnect();
    await stack.close();
  });

  it('passes at most ten calls between the controller and undici', async () => {
    const profile = await loadProfile('profile-2');
    const longest: Record<string, number> = {};
    for (const { AccountId } of customer.accounts)
      for (const path of accountPaths(profile, AccountId)) {
        calls = [];
        const { status } = await stack.ask(path, { token: customer.token });
        const name = path.replace(AccountId, '');
        if (status === 200) longest[name] = Math.max(longest[name] ?? 0, calls.length);
      }
    expect(Object.keys(longest)).toEqual(accountPaths(profile, ''));
    for (const [path, count] of Object.entries(longest)) expect([path, count > 0 && count <= 10]).toEqual([path, true]);
  });

  it('runs at most 30 files between the controller and the core, and back with the resources, besides the form of the version', async () => {
    // The parameters' type is the transactions' alone; the count looks at none of them.
    Object.assign(ResourceReader.prototype, {
      read(this: ResourceReader, ...given: Parameters<typeof read>) {
        session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
        return read.apply(this, given);
      },
      resources(this: ResourceReader, ...given: Parameters<typeof resources>) {
        const made = resources.apply(this, given);
        session.post('Profiler.takePreciseCoverage', (_, coverage) => files.push(filesThatRan(coverage)));
        return made;
      },
    });
    session.connect();
    session.post('Profiler.enable');
    const path = `/accounts/${customer.accountId('CurrentAccount')}/transactions`;
    for (let round = 0; round < 10; round++) {
      const { json } = await stack.ask(path, { token: customer.token });
      expect(json.Data.Transaction).toHaveLength(5);
    }
    // Another request or a timer may run a file in some rounds, not in all.
    const [first = [], ...others] = files;
    const inEach = first.filter((file) => others.every((round) => round.includes(file)));
    expect([others.length, inEach]).toEqual([
      9,
      expect.arrayContaining([
        'packages/core-adapter/http-core.client.ts',
        'src/core-banking/core-banking.ts',
        'src/resources/transactions/transaction.mapper.ts',
      ]),
    ]);
    expect(inEach.filter((file) => !file.startsWith('src/versions/')).length).toBeLessThanOrEqual(30);
  });
});
