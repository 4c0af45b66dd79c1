import { join } from 'node:path';
import { loadProfile } from '../../src/profiles/load-profile.js';
import { versionNames } from '../../src/versions/versions.js';
import { signOnOf } from '../bank/sign-on.js';
import { readSandboxConfig } from '../sandbox.config.js';
import { openBank } from '../actions/registration.js';
import { Stack } from '../clients/stack.js';
import { keptClock } from '../clock/kept-time.js';
import { listenFault, runMember } from '../stack-member.js';
import { obeyTimeOrders } from '../stack-messages.js';
import { choicesFor } from './asked-for.js';
import { Sessions } from './sessions.js';
import { createTppServer } from './tpp-server.js';

/** The sandbox's TPP as a process. */
async function start(): Promise<() => Promise<void>> {
  const config = readSandboxConfig();
  // It shows how long the bank's windows are open, in the time of the bank.
  const clock = await keptClock(config.dataDir);
  obeyTimeOrders(clock);
  const stack = new Stack(config, clock);
  const { refusedPermissions, rules } = await loadProfile(config.profile);
  const server = createTppServer({
    origin: config.tppUrl,
    openBank: () => openBank(stack),
    bankOrigin: config.browserUrl,
    choices: choicesFor(refusedPermissions),
    versions: versionNames.filter((name) => rules.versions.includes(name)).toReversed(),
    inboxUrl: stack.inboxUrl,
    customer: signOnOf({ name: config.customers?.[0]?.reference ?? 'complete' }),
    offersFunds: rules.fundsConfirmation !== undefined,
    windowMs: rules.authenticationWindowSeconds * 1_000,
    clock,
    sessions: await Sessions.open(join(config.dataDir, 'sandbox', 'tpp-connections.json')),
  });
  const host = config.sandboxHost;
  await server.listen({ port: config.tppPort, host }).catch((error: unknown) => {
    throw listenFault(error, host, config.tppPort, 'TPP_PORT');
  });
  return () => server.close();
}

await runMember('sandbox TPP', start);
