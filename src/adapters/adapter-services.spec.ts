import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { CoreSettingFault } from '../../packages/core-adapter/core-settings.js';
import { coreHttp } from '../../packages/core-adapter/http-core.client.js';
import { FakeClock } from '../../test/support/fake-clock.js';
import { Metrics } from '../observability/metrics.js';
import { currentRead } from '../core-banking/current-read.js';
import { adapterServices } from './adapter-services.js';

function makeServices(dataDir = mkdtempSync(join(tmpdir(), 'data-'))) {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const log = pino({ level: 'trace', base: null, timestamp: false }, sink);
  const metrics = new Metrics(log);
  const parts = { log, clock: new FakeClock(1_000), metrics, http: coreHttp, dataDir };
  const shown = async (): Promise<string[]> =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('gateway_adapter_'));
  return { services: adapterServices(parts, () => 'my-core'), lines, shown };
}

describe('the services of an adapter', () => {
  it('the logger writes each level into the gateway’s log, with the adapter’s name', () => {
    const { services, lines } = makeServices();
    for (const level of ['debug', 'info', 'warn', 'error'] as const)
      services.logger[level]({ attempt: 2, adapter: 'another' }, `said at ${level}`);
    expect(lines).toEqual(
      [20, 30, 40, 50].map((level, index) => ({
        level,
        attempt: 2,
        adapter: 'my-core',
        msg: `said at ${['debug', 'info', 'warn', 'error'][index]}`,
      })),
    );
  });

  it('the logger masks card numbers, and omits fields that are neither text, number nor boolean', () => {
    const { services, lines } = makeServices();
    const error = new Error('the password is hunter2');
    const fields = { text: 'card 4111 1111 1111 1111', error, list: ['hunter2'], nothing: undefined };
    services.logger.info(fields as never, 'for 4111111111111111');
    expect(lines).toEqual([
      { level: 30, text: 'card xxxxxxxxxxxx1111', adapter: 'my-core', msg: 'for xxxxxxxxxxxx1111' },
    ]);
  });

  it('the clock is the gateway’s', () => {
    expect(makeServices().services.clock.nowMs()).toBe(1_000);
  });

  it('the metrics are the gateway’s, with the adapter’s name', async () => {
    const { services, shown } = makeServices();
    services.metrics.count('token_renewals');
    services.metrics.count('token_renewals', 2);
    services.metrics.observe('token_wait', 0.3);
    expect(await shown()).toEqual(
      expect.arrayContaining([
        'gateway_adapter_events_total{adapter="my-core",event="token_renewals"} 3',
        'gateway_adapter_duration_seconds_bucket{le="0.5",adapter="my-core",step="token_wait"} 1',
        'gateway_adapter_duration_seconds_sum{adapter="my-core",step="token_wait"} 0.3',
      ]),
    );
  });

  it.each(['', 'With Blanks', 'customer-C1001', 'x'.repeat(41)])(
    'the metrics ignore the malformed name "%s", with a warning',
    async (name) => {
      const { services, lines, shown } = makeServices();
      services.metrics.count(name);
      services.metrics.observe(name, 1);
      expect(await shown()).toEqual([]);
      expect(lines).toEqual([expect.objectContaining({ level: 40, adapter: 'my-core' })]);
    },
  );

  it('the metrics take fifty names, ignore the others with one warning, and go on with the fifty', async () => {
    const { services, lines, shown } = makeServices();
    for (let index = 0; index < 1_000; index++) services.metrics.count(`event_${index}`);
    services.metrics.count('event_49');
    const events = await shown();
    expect(events).toHaveLength(50);
    expect(events).toContain('gateway_adapter_events_total{adapter="my-core",event="event_49"} 2');
    expect(lines).toHaveLength(1);
  });

  it('the HTTP client refuses a URL that is not one of HTTP, by the name of its setting', () => {
    const { http } = makeServices().services;
    const settings = { name: 'my-core', url: 'mq://core', urlSetting: 'CORE_URL', connections: 1, maxAnswerBytes: 1 };
    expect(() => http.connect(settings)).toThrow('CORE_URL must be an http or https URL, for my-core speaks HTTP');
  });

  it('the logger names the interaction of the read that writes a line, also after a wait', async () => {
    const { services, lines } = makeServices();
    const write = async (interactionId: string): Promise<void> =>
      currentRead.run({ interactionId }, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        services.logger.info({ interactionId: 'another' }, 'read');
      });
    await Promise.all([write('one'), write('two')]);
    services.logger.info({}, 'outside of a read');
    expect(lines.map(({ interactionId }) => interactionId)).toEqual(['one', 'two', undefined]);
  });

  it('the data folder is made when it is first asked for, for the gateway’s user only, and stays the same', async () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'data-')), 'not', 'there');
    const { services } = makeServices(dataDir);
    expect(statSync(dataDir, { throwIfNoEntry: false })).toBeUndefined();
    const folder = await services.dataFolder();
    expect([folder, statSync(folder).mode & 0o777]).toEqual([join(dataDir, 'core'), 0o700]);
    writeFileSync(join(folder, 'kept'), '');
    expect(await services.dataFolder()).toBe(folder);
  });

  it('a data folder that cannot be made is a fault of DATA_DIR', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'data-')), 'file');
    writeFileSync(file, '');
    await expect(makeServices(file).services.dataFolder()).rejects.toEqual(
      new CoreSettingFault('DATA_DIR', 'must be a folder that the gateway can write to: the adapter keeps files in it'),
    );
  });
});
