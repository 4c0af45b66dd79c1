import { setTimeout as delay } from 'node:timers/promises';
import { FaultyStart } from './faulty-start.js';

const readyWithinMs = 120_000;
const askEveryMs = 50;

/** Waits until the URL answers with success. @param over ends the wait @throws FaultyStart after two minutes */
export async function untilReady(url: string, over: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(readyWithinMs);
  const signal = AbortSignal.any([over, late]);
  for (;;) {
    const answer = await fetch(url, { signal }).then(
      ({ ok, status }) => (ok ? undefined : `answers ${status}`),
      () => 'does not answer',
    );
    if (answer === undefined) return;
    if (over.aborted) throw new FaultyStart('stopped before it was ready');
    if (late.aborted) throw new FaultyStart(`${url} ${answer} after ${readyWithinMs / 1000} s: see the log`);
    await delay(askEveryMs);
  }
}

/**
 * Waits until the gateway answers reads. One of several cores may be unreachable then.
 * @param bankUrl the origin of its bank port
 * @returns why it is not ready all the same, one line for each fault
 */
export async function untilServing(bankUrl: string, over: AbortSignal): Promise<readonly string[]> {
  await untilReady(`${bankUrl}/health/serving`, over);
  const answer = await fetch(`${bankUrl}/health/ready`, { signal: over });
  const { faults = [] } = (await answer.json()) as { readonly faults?: readonly string[] };
  return faults;
}
