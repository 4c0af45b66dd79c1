import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sandboxCommand } from '../support/sandbox-command.js';
import { Stack } from '../../sandbox/clients/stack.js';
import { SandboxClock } from '../../sandbox/clock/sandbox-clock.js';
import { StackTime } from '../../sandbox/clock/stack-time.js';
import { createConsole } from '../../sandbox/console/console-server.js';
import { RequestLog } from '../../sandbox/console/request-log.js';
import { FaultyStart } from '../../sandbox/faulty-start.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';

describe('sandbox clock', () => {
  const clock = new SandboxClock(0);
  /** The time of the other processes, ahead of the machine's. */
  const told: number[] = [];
  let folder: string;
  let server: FastifyInstance;
  let origin: string;
  let running: Stack;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clock-command-'));
    const time = new StackTime(clock, folder, async (aheadMs) => void told.push(aheadMs));
    const windows = { windowMs: 1, exemptHistoryMs: 1 };
    const stack = new Stack(readSandboxConfig({}));
    server = createConsole({ requests: new RequestLog(false), time, stack, windows, links: [] });
    origin = await server.listen({ host: '127.0.0.1', port: 0 });
    running = new Stack(readSandboxConfig({ CONSOLE_PORT: new URL(origin).port }));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const sandbox = (line: string) => sandboxCommand(line.split(' '), running);

  it('moves the time of the whole stack on, as the console does', async () => {
    const { text, json } = await sandbox('clock 5m');
    const { now } = json as { now: string };
    expect([told, json, text]).toEqual([
      [300_000],
      { now: expect.any(String), aheadMs: 300_000 },
      `the bank’s time is ${now}`,
    ]);
    await sandbox('clock 1d');
    expect([told.at(-1), clock.aheadMs]).toEqual([86_700_000, 86_700_000]);
  });

  it('says why the time cannot be moved so far', async () => {
    const refused = sandbox('clock 4000d');
    await expect(refused).rejects.toThrow(FaultyStart);
    await expect(refused).rejects.toThrow(/^The time can be moved ten years ahead at most/);
  });

  it('obeys no page of another site', async () => {
    const before = clock.aheadMs;
    const headers = { 'content-type': 'application/json', origin: 'http://evil.example' };
    const asked = { method: 'PUT', headers, body: JSON.stringify({ byMs: 1_000 }) };
    expect([(await fetch(`${origin}/clock`, asked)).status, clock.aheadMs]).toEqual([403, before]);
  });
});
