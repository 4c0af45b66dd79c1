import { beforeEach, describe, expect, it } from '@jest/globals';
import { tppId, type TppId } from '../open-banking/tpp-id.js';
import type { Listeners } from '../server/listeners.js';
import type { ConsentEventStore } from './consent-event.store.js';
import { WaitingPolls } from './waiting-polls.js';

const anHour = 3_600_000;
const tpp = (clientId: string): TppId => tppId('https://issuer.example', clientId);

describe('a poll that waits for an event', () => {
  let stop: AbortController;
  let asked: string[][];
  let polls: WaitingPolls;
  beforeEach(() => {
    stop = new AbortController();
    asked = [];
    const withEvents: ConsentEventStore['withEvents'] = async (tpps) => {
      asked.push(tpps.map(({ clientId }) => clientId));
      return [];
    };
    polls = new WaitingPolls({ withEvents } as ConsentEventStore, { stop: stop.signal } as Listeners);
  });

  it('ends when the process stops', async () => {
    const waiting = polls.wait(tpp('one'), new AbortController().signal, anHour);
    stop.abort();
    await waiting;
    await polls.wait(tpp('one'), new AbortController().signal, anHour);
  });

  it('ends when its caller has gone', async () => {
    const caller = new AbortController();
    const waiting = polls.wait(tpp('one'), caller.signal, anHour);
    caller.abort();
    await waiting;
  });

  it('shares one statement with the polls of every TPP, and so holds no connection to the database', async () => {
    const names = ['one', 'two', 'two', 'three'];
    const waiting = names.map((name) => polls.wait(tpp(name), new AbortController().signal, anHour));
    while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked[1]).toEqual(['one', 'two', 'three']);
    stop.abort();
    await Promise.all(waiting);
  });
});
