import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { OtlpReceiver } from '../observability/otlp-receiver.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { GatewayClient } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';

describe('the built gateway', () => {
  let bank: SandboxBank;
  let database: FreshDatabase;
  let receiver: OtlpReceiver;
  let gateway: GatewayProcess;
  beforeEach(async () => {
    [bank, database, receiver] = await Promise.all([startBank(), freshDatabase(), OtlpReceiver.start()]);
  }, patienceMs);
  afterEach(async () => {
    await gateway.kill();
    await Promise.all([bank.close(), receiver.close()]);
    await database.drop();
  }, patienceMs);

  async function served(settings: NodeJS.ProcessEnv): Promise<void> {
    const shared = { DATABASE_URL: database.config.url };
    gateway = await GatewayProcess.start(environmentOf(bank, await freePorts(), { ...shared, ...settings }));
    const client = new GatewayClient(gateway, bank);
    expect(await client.read(await client.give('tpp-one'))).toBe(200);
  }

  it('takes traces where the standard variables ask for them, and sends the last ones when it stops', async () => {
    await served({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    expect(await gateway.stop()).toBe(0);
    const names = receiver.spans.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['GET /accounts', 'check token', 'core accounts']));
  });

  it('says once that no collector answers, and stops with code 0', async () => {
    const { url } = receiver;
    await receiver.close();
    await served({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: '200' });
    expect(await gateway.stop()).toBe(0);
    expect(gateway.output.match(/"msg":"spans could not be sent to the collector"/g)).toHaveLength(1);
  });

  it('takes none otherwise', async () => {
    await served({ OTEL_EXPORTER_OTLP_TIMEOUT: '200' });
    expect(await gateway.stop()).toBe(0);
    expect(receiver.bodies).toEqual([]);
  });
});
