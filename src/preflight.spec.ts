import { describe, expect, it } from '@jest/globals';
import { BootError } from './config/boot-error.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { CoreError } from '../packages/core-adapter/core-error.js';
import { awaitCore, refuseEmptyPromises } from './preflight.js';
import { profile as profile1 } from './profiles/profile-1.js';

const read = (): Promise<never> => Promise.reject(new CoreError('unavailable', 'a test'));
const everything = { balances: read, transactions: read, party: read, offers: read, beneficiaries: read };
const core = (over: Partial<CoreAdapter>): CoreAdapter => ({
  ...{ name: 'some-core', pending: 'none', missing: {}, accounts: read, account: read, health: read, close: read },
  ...everything,
  ...over,
});

describe('before the gateway starts', () => {
  it('a profile may promise what the core can serve, and less', () => {
    const able = core({ scheduledPayments: read, statements: read, directDebits: read });
    expect(() => refuseEmptyPromises(profile1, able)).not.toThrow();
  });

  it('a profile that promises more is refused, naming each endpoint with the adapter’s reason', () => {
    const lacking = core({ missing: { statements: 'it prints statements on paper only' } });
    expect(() => refuseEmptyPromises(profile1, lacking)).toThrow(
      'PROFILE profile-1 promises scheduled-payments (no reason given), statements (it prints statements on paper only), ' +
        'which the core "some-core" cannot serve: choose another profile or write one (docs/adding-a-core.md), or give the adapter those reads',
    );
  });

  describe('a core that gives no good answer in time is named', () => {
    const waitFor = (fault: Error): Promise<void> => {
      const health = (signal: AbortSignal): Promise<void> =>
        Promise.reject(
          signal.aborted ? new CoreError('timeout', 'some-core did not answer before the deadline') : fault,
        );
      return awaitCore(core({ health }), 'http://user:secret@core.bank.example/api', 10);
    };

    it('with what its adapter says of the last answer, in one line and without a card number', async () => {
      const refused = new CoreError('bad-record', 'it answered 401:\ncheck the credentials of 4929421234567897');
      await expect(waitFor(refused)).rejects.toThrow(
        new BootError(
          'the core "some-core" is not ready at http://core.bank.example/api: ' +
            'it answered 401: check the credentials of xxxxxxxxxxxx7897',
        ),
      );
    });

    it('without the words of an error that is none of the adapter’s', async () => {
      await expect(waitFor(new Error('connect ECONNREFUSED secret'))).rejects.toThrow(
        new BootError(
          'the core "some-core" does not answer at http://core.bank.example/api: start it, or set CORE_URL',
        ),
      );
    });
  });
});
