import type { BankPort } from '../bank-port.js';
import { CommandFailed } from '../../src/command-line/command.js';
import { samplesOf, type Sample } from './prometheus-text.js';

/** The state of a gateway, which its bank port shows any caller. */
export interface Instance {
  /** Empty where it is ready. */
  readonly faults: readonly string[];
  readonly samples: readonly Sample[];
}

/** The state of another gateway. One that does not answer may not run, or its address may be wrong. */
export type Readiness = 'ready' | 'not ready' | 'no answer';

/** @throws CommandFailed where no gateway answers */
export async function askInstance(port: BankPort): Promise<Instance> {
  const ready = await port.ask('/health/ready');
  const metrics = await port.ask('/metrics');
  if (metrics.status !== 200)
    throw new CommandFailed(`/metrics answered ${metrics.status}: this is not the bank port of a gateway`);
  return { faults: faultsOf(ready), samples: samplesOf(metrics.body) };
}

/** Whether another gateway can take the requests over. */
export async function readinessOf(port: BankPort): Promise<Readiness> {
  try {
    return (await port.ask('/health/ready')).status === 200 ? 'ready' : 'not ready';
  } catch (error) {
    if (error instanceof CommandFailed) return 'no answer';
    throw error;
  }
}

function faultsOf({ status, body }: { readonly status: number; readonly body: string }): readonly string[] {
  if (status === 200) return [];
  try {
    const { faults } = JSON.parse(body) as { faults?: unknown };
    if (Array.isArray(faults)) return faults.map(String);
  } catch {
    // Something else answers at this address.
  }
  throw new CommandFailed(`/health/ready answered ${status}: this is not the bank port of a gateway`);
}
