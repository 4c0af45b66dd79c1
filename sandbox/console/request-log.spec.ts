import { beforeEach, describe, expect, it } from '@jest/globals';
import { checks } from '../../src/open-banking/checks.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import type { WatchedRequest } from '../stack-messages.js';
import { RequestLog, type RequestStory, passedChecks, storiesOnPage } from './request-log.js';

const exchange = (id: string, changed: Partial<WatchedRequest> = {}): { exchange: WatchedRequest } => ({
  exchange: {
    atMs: 0,
    interactionId: id,
    port: 3000,
    method: 'GET',
    url: `${v3_1.basePath}/accounts`,
    status: 200,
    durationMs: 1,
    headers: {},
    body: '{}',
    ...changed,
  },
});
const access = (interactionId: string, facts: object): { record: string } => ({
  record: `${JSON.stringify({ level: 30, access: { interactionId, ...facts } })}\n`,
});
const coreRead = (id: string): { exchange: WatchedRequest } => exchange(id, { url: '/ledger/clients/C1/accts' });

describe('the requests of the console', () => {
  let log: RequestLog;
  beforeEach(() => {
    log = new RequestLog();
  });
  const newest = () => log.page({}).stories[0];

  it('are shown newest first, a page of them at a time, each once', () => {
    for (let index = 1; index <= 2 * storiesOnPage + 1; index++) log.take('gateway', exchange(`id-${index}`));
    const numbers: number[] = [];
    let before: number | undefined;
    for (;;) {
      const { stories, older } = log.page(before === undefined ? {} : { before });
      numbers.push(...stories.map(({ number }) => number));
      before = stories.at(-1)?.number;
      if (!older) break;
      expect(stories).toHaveLength(storiesOnPage);
    }
    expect(numbers).toEqual(Array.from({ length: 2 * storiesOnPage + 1 }, (_, index) => 2 * storiesOnPage + 1 - index));
  });

  it('are the latest 10,000: an older one gives its place, and its reads and records find nothing', () => {
    for (let index = 1; index <= 10_001; index++)
      log.take('gateway', exchange(`id-${index}`, { status: index === 1 ? 403 : 200 }));
    expect(log.count).toBe(10_001);
    expect(log.page({ refused: true }).stories).toEqual([]);
    expect(log.page({ find: 'id-2' }).stories.at(-1)?.number).not.toBe(1);
    const oldest = log.page({ before: 3 });
    expect([oldest.stories.map(({ number }) => number), oldest.older]).toEqual([[2], false]);
    let told = 0;
    log.onChange(() => told++);
    log.take('gateway', access('id-1', { refusedBy: 'token' }));
    expect(told).toBe(0);
  });

  it('name the check that refused and every check before it as passed', () => {
    log.take('gateway', exchange('id', { status: 403 }));
    log.take(
      'gateway',
      access('id', { tpp: 'tpp-one', refusedBy: 'authentication window', error: 'reauthentication' }),
    );
    expect(newest()?.access).toMatchObject({ refusedBy: 'authentication window', error: 'reauthentication' });
    expect(passedChecks(newest() as RequestStory)).toEqual(checks.slice(0, checks.indexOf('authentication window')));
  });

  it('say that an answered request of a TPP passed every check, and say nothing about other requests', () => {
    log.take('gateway', exchange('id'));
    log.take('gateway', access('id', { tpp: 'tpp-one' }));
    expect(passedChecks(newest() as RequestStory)).toEqual(checks);
    const { url } = newest() as RequestStory;
    expect(passedChecks({ url, status: 200 })).toBeUndefined();
    expect(passedChecks({ url, status: 503, access: { tpp: 'tpp-one', error: 'unavailable' } })).toBeUndefined();
    expect(passedChecks({ url: '/as/token', status: 200, access: { tpp: 'tpp-one' } })).toBeUndefined();
  });

  it('have their reads of the core, whichever of the two arrives first', () => {
    log.take('bank', coreRead('one'));
    log.take('gateway', exchange('one'));
    log.take('gateway', exchange('two'));
    log.take('bank', coreRead('two'));
    log.take('bank', coreRead('two'));
    expect(log.page({}).stories.map(({ reads }) => reads?.length)).toEqual([2, 1]);
  });

  it('say nothing of reads where the core does not report them', () => {
    const ofOtherCore = new RequestLog(false);
    ofOtherCore.take('gateway', exchange('one'));
    expect(ofOtherCore.page({}).stories.map(({ reads }) => reads)).toEqual([undefined]);
  });

  it('keep apart two requests that a TPP sent under one interaction id', () => {
    log.take('gateway', exchange('same', { status: 403 }));
    log.take('gateway', access('same', { refusedBy: 'scope' }));
    log.take('gateway', exchange('same'));
    log.take('gateway', access('same', { tpp: 'tpp-one' }));
    expect(log.page({}).stories.map((story) => story.access?.refusedBy)).toEqual([undefined, 'scope']);
  });

  it('are found by interaction id, TPP, consent, path and refusing check', () => {
    log.take('gateway', exchange('id-of-this', { status: 401 }));
    log.take('gateway', access('id-of-this', { tpp: 'tpp-one', consentId: 'aac-1', refusedBy: 'live consent' }));
    log.take('gateway', exchange('other', { url: '/docs' }));
    for (const find of ['OF-THIS', 'tpp-one', 'aac-1', 'aisp/acc', 'live consent'])
      expect(log.page({ find }).stories.map(({ number }) => number)).toEqual([1]);
    expect(log.page({ find: 'nothing of it' }).stories).toEqual([]);
  });

  it('report changes that others made at the bank, but not the console’s own reads', () => {
    let told = 0;
    log.onChange(() => told++);
    log.take('gateway', { record: JSON.stringify({ bankAccess: { interactionId: 'a', method: 'GET' } }) });
    expect(told).toBe(0);
    log.take('gateway', { record: JSON.stringify({ bankAccess: { interactionId: 'a', method: 'POST' } }) });
    log.take('bank', exchange('b', { url: '/sign-on/tickets', method: 'POST' }));
    expect(told).toBe(2);
    expect(log.count).toBe(0);
  });
});
