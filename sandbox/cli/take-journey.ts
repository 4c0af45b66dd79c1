import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../src/clock/clock.js';
import { FaultyStart } from '../faulty-start.js';
import { pkiFiles } from '../pki/kept-pki.js';
import type { SandboxConfig } from '../sandbox.config.js';
import { faultOfBank } from '../tpp/bank-fault.js';
import { bankEndpoint, openRegistered, registrationFile } from '../tpp/registration.js';
import { type JourneyResult, journey } from './journey.js';
import type { StackClient } from './stack.client.js';

/** A {@link journey} at the running stack, its faults in one line each. */
export async function takeJourney(
  { persona: name, wait }: { readonly persona: string; readonly wait: boolean },
  stack: StackClient,
  config: SandboxConfig,
  clock: Clock,
  tell: (line: string) => void,
): Promise<JourneyResult> {
  const persona = await stack.persona(name);
  const endpoint = bankEndpoint(config);
  const bank = await openRegistered(endpoint, pkiFiles(config.dataDir), registrationFile(config.dataDir));
  try {
    return await journey({
      bank,
      persona,
      profile: config.profile,
      redirectUri: endpoint.redirectUri,
      inboxUrl: stack.inboxUrl,
      clock,
      onStep: ({ step, result }) => tell(`${step}: ${result}`),
      ...(wait && {
        waitOutWindow: async ({ authenticatedAtMs }) => {
          // A second more, for the times of the standard have no fractions.
          const leftMs = authenticatedAtMs + config.authenticationWindowMs + 1000 - clock.nowMs();
          tell(`waiting ${Math.ceil(leftMs / 1000)} s for the end of the authentication window`);
          await delay(leftMs);
        },
      }),
    });
  } catch (error) {
    const fault = faultOfBank(error);
    throw fault === undefined ? error : new FaultyStart(fault);
  } finally {
    await bank.close();
  }
}
