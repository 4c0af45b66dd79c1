import { describe, expect, it } from '@jest/globals';
import { BootError } from './config/boot-error.js';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { CoreError } from '../packages/core-adapter/core-error.js';
import { awaitCore, createAdapter, refuseEmptyPromises } from './preflight.js';
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
        'which the core "some-core" cannot serve: choose another profile, or give the adapter those reads',
    );
  });

  it.each(['nonsense', 'toString'])('a core that nobody registered is refused: %s', async (name) => {
    await expect(createAdapter(name, { url: 'http://core', connections: 1, variables: {} })).rejects.toThrow(
      /^CORE "\w+" is not known: set it to one of ledger/,
    );
  });

  describe('a variable that is nearly a setting of the core’s adapter', () => {
    const variables = {
      ...{ CORE_URL: 'https://core.example/api', CORE_TENANT: 'default', CORE_TENANT_TIME_ZONE: 'Europe/London' },
      ...{ CORE_USERNAME: 'gateway', CORE_PASSWORD: 'x', CORE_PRODUCTS: '1=Savings' },
    };
    const create = (more: Record<string, string>): Promise<CoreAdapter> =>
      createAdapter('fineract', { url: variables.CORE_URL, connections: 1, variables: { ...variables, ...more } });

    it.each([
      ['CORE_IDENTIFIER_TABLE', 'CORE_IDENTIFIERS_TABLE'],
      ['CORE_DORMENT', 'CORE_DORMANT'],
      ['CORE_PASSWORD_FILES', 'CORE_PASSWORD_FILE'],
    ])('is refused, naming the right one: %s', async (given, meant) => {
      await expect(create({ [given]: 'x' })).rejects.toThrow(
        new BootError(
          `settings of the core "fineract": ${given} is not a setting: ${meant} is; rename it or take it away`,
        ),
      );
    });

    it('is named beside the setting that is missing for it', async () => {
      await expect(create({ CORE_TENANT_TIME_ZONE: '', CORE_TENANT_TIMEZONE: 'Europe/London' })).rejects.toThrow(
        /: CORE_TENANT_TIMEZONE is not a setting: CORE_TENANT_TIME_ZONE is; .*; CORE_TENANT_TIME_ZONE must be/,
      );
    });

    it('is none where it is something else', async () => {
      const adapter = await create({ CORE_PASSWORD_FILE: '/run/password', CORE_SERVICE_HOST: 'x', CORE_COLOUR: 'red' });
      await adapter.close();
      const ledger = await createAdapter('ledger', {
        url: 'http://core',
        connections: 1,
        variables: { CORE_DORMENT: 'x' },
      });
      await ledger.close();
    });
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
