import 'reflect-metadata';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { AdapterFactory } from './adapter-factory.js';
import { AdaptersModule } from './adapters.module.js';
import { BootError } from './config/boot-error.js';

describe('the creation of adapters', () => {
  let factory: AdapterFactory;
  beforeAll(async () => {
    const nest = await NestFactory.createApplicationContext(AdaptersModule, { logger: false, abortOnError: false });
    factory = nest.get(AdapterFactory);
  });

  it.each(['nonsense', 'toString', './my-core.js'])('a core that nobody registered is refused: %s', async (name) => {
    await expect(factory.core(name, { url: 'http://core', connections: 1, variables: {} })).rejects.toThrow(
      /^CORE "[\w./-]+" is not known: set it to one of ledger, fineract, or to the absolute path of an adapter’s module$/,
    );
  });

  it('a core over HTTP refuses a URL of another scheme', async () => {
    await expect(factory.core('ledger', { url: 'mq://core:1414', connections: 1, variables: {} })).rejects.toThrow(
      new BootError('settings of the core "ledger": CORE_URL must be an http or https URL, for ledger speaks HTTP'),
    );
  });

  describe('a variable that is nearly a setting of the core’s adapter', () => {
    const variables = {
      ...{ CORE_URL: 'https://core.example/api', CORE_TENANT: 'default', CORE_TENANT_TIME_ZONE: 'Europe/London' },
      ...{ CORE_USERNAME: 'gateway', CORE_PASSWORD: 'x', CORE_PRODUCTS: '1=Savings' },
    };
    const create = (more: Record<string, string>): Promise<CoreAdapter> =>
      factory.core('fineract', { url: variables.CORE_URL, connections: 1, variables: { ...variables, ...more } });

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
      const ledger = await factory.core('ledger', {
        url: 'http://core',
        connections: 1,
        variables: { CORE_DORMENT: 'x' },
      });
      await ledger.close();
    });
  });
});
