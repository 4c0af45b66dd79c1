import { v3_1 } from '../src/versions/v3.1.js';
import { type PersonaSummary, personas } from './actions/bank.js';
import { curlLine, giveConsent } from './actions/consent.js';
import { dashboardUrl } from './actions/customer.js';
import type { Stack } from './clients/stack.js';
import { FaultyStart } from './faulty-start.js';

/** How to use the stack, once it runs: its addresses, its people, and last a `curl` that reads accounts. */
export async function greeting(stack: Stack): Promise<string> {
  const { config } = stack;
  const people = await personas(stack);
  const [first] = people;
  if (first === undefined) throw new FaultyStart('the sandbox bank has no personas');
  const given = await giveConsent(stack, { persona: first.name });
  const embedded = config.authorisationServer === 'embedded';
  return `
The gateway is ready, serving ${config.profile}. Ctrl-C stops everything.

  Base URL         ${config.baseUrl}${v3_1.basePath}
  Documentation    ${config.baseUrl}/docs
${embedded ? pagesToOpen(stack) : ''}
People who bank here, and their passwords:

${people.map(personLine).join('\n')}

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

function pagesToOpen(stack: Stack): string {
  return `  A TPP            ${stack.config.tppUrl}
  One-time codes   ${stack.inboxUrl}
  Access dashboard ${dashboardUrl(stack)}
`;
}

function personLine({ loginName, password, displayName }: PersonaSummary): string {
  return `  ${loginName.padEnd(14)} ${password.padEnd(24)} ${displayName}`;
}
