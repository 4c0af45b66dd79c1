import type { Clock } from '../src/clock/clock.js';
import { v3_1 } from '../src/versions/v3.1.js';
import { authoriseConsent, curlLine } from './cli/commands.js';
import { type PersonaSummary, StackClient } from './cli/stack.client.js';
import { FaultyStart } from './faulty-start.js';
import type { SandboxConfig } from './sandbox.config.js';

/** How to use the stack, once it runs: its addresses, its people, and last a `curl` that reads accounts. */
export async function greeting(config: SandboxConfig, bankClock: Clock): Promise<string> {
  const stack = new StackClient(config);
  const personas = await stack.personas();
  const [first] = personas;
  if (first === undefined) throw new FaultyStart('the sandbox bank has no personas');
  const options = { permissions: 'all', accounts: 'all', authenticatedAgoMs: 0, persona: first.name } as const;
  const given = await authoriseConsent(options, stack, config, bankClock);
  const embedded = config.authorisationServer === 'embedded';
  return `
The gateway is ready, serving ${config.profile}. Ctrl-C stops everything.

  Base URL         ${config.baseUrl}${v3_1.basePath}
  Documentation    ${config.baseUrl}/docs
${embedded ? pagesToOpen(config) : ''}
People who bank here, and their passwords:

${personas.map(personLine).join('\n')}

In another terminal:
${
  embedded
    ? `
  npm run --silent sandbox -- tpp new --name "My TPP" --redirect http://localhost:4000/callback`
    : ''
}
  npm run --silent sandbox -- consent --persona ${first.name}
  npm run --silent sandbox -- help

The accounts of ${first.displayName}, under a consent that was given just now:

  ${curlLine(given, '/accounts')}
`;
}

function pagesToOpen(config: SandboxConfig): string {
  return `  A TPP            ${config.tppUrl}
  One-time codes   http://localhost:${config.sandboxPort}/inbox
  Access dashboard ${config.browserUrl}/as/dashboard
`;
}

function personLine({ loginName, password, displayName }: PersonaSummary): string {
  return `  ${loginName.padEnd(14)} ${password.padEnd(24)} ${displayName}`;
}
