import { rm } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { reportCommand } from '../support/ops-command.js';

describe('the trail of a gateway whose core is unreachable for a minute', () => {
  it('has the downtime from the first unanswered request to the next answer, the volumes and the consent', async () => {
    const stack = await Stack.start();
    const customer = await stack.consent({ persona: 'saver' });
    const ask = async () => (await stack.ask('/accounts', { token: customer.token })).status;
    const day = new Date(stack.clock.nowMs()).toISOString().slice(0, 10);
    expect(await ask()).toBe(200);
    stack.clock.advance(60_000);
    const begin = new Date(stack.clock.nowMs()).toISOString();
    stack.bank.setFault('down');
    for (let request = 0; request < 5; request++) {
      expect(await ask()).toBe(503);
      stack.clock.advance(7_500);
    }
    stack.bank.setFault('none');
    stack.clock.advance(22_500);
    // The circuit to the core closes within a second; the clock of the trail stands still meanwhile.
    await until(async () => (await ask()) === 200);
    const end = new Date(stack.clock.nowMs()).toISOString();
    await stack.close();

    const folder = stack.config.trail.directory;
    const words = (...asked: string[]) => [...asked, '--trail', folder, '--json'];
    const { text } = await reportCommand(`${day}T23:00:00Z`, ...words('explain', 'uptime-percent', '--day', day));
    expect(JSON.parse(text)).toMatchObject({
      state: 'partial',
      downtimes: [{ begin, end, seconds: 60, plannedSeconds: 0, cause: 'core-unavailable' }],
    });
    const { groups } = JSON.parse(
      (await reportCommand(`${day}T23:00:00Z`, ...words('figures', '--from', day, '--to', day))).text,
    );
    expect(groups.consent_changes[0]).toMatchObject({ 'consents-begun': 1, 'consents-approved': 1 });
    expect(groups.requests[0]).toMatchObject({ 'distinct-tpps': 1 });
    await rm(folder, { recursive: true });
  });
});
