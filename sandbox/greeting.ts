import { type PersonaSummary, personas } from './actions/bank.js';
import { curlLine, giveConsent, publishedFacts } from './actions/consent.js';
import { dashboardUrl } from './actions/customer.js';
import { servedVersions } from './clients/published-facts.js';
import type { Stack } from './clients/stack.js';
import { FaultyStart } from './faulty-start.js';

/** How to use the stack, once it runs: its addresses, its people, and last a `curl` that reads accounts. */
export async function greeting(stack: Stack, isContainer: boolean): Promise<string> {
  const { config } = stack;
  const people = await personas(stack);
  const [first] = people;
  if (first === undefined) throw new FaultyStart('the sandbox bank has no personas');
  const embedded = config.authorisationServer === 'embedded';
  const command = `${isContainer ? 'docker compose exec sandbox ' : ''}npm run --silent sandbox --`;
  return `
The gateway is ready, serving ${config.profile}. Ctrl-C stops everything.

${servedVersions(await publishedFacts(stack))
  .map(({ name, basePath }) => `  ${`Base URL, ${name}`.padEnd(16)} ${config.baseUrl}${basePath}`)
  .join('\n')}
  Documentation    ${config.baseUrl}/docs
${isContainer ? '' : exposure(config.sandboxHost)}${embedded ? pagesToOpen(stack) : ''}
${peopleOf(stack, people)}

In another terminal:
${
  embedded
    ? `
  ${command} tpp new --name "My TPP" --redirect http://localhost:4000/callback`
    : ''
}
  ${command} consent ${config.hasOwnCore ? '--persona' : '--customer'} ${first.name}
  ${command} help

${await firstAccounts(stack, first)}
`;
}

/** A warning where other machines can reach the sandbox bank, with the data that their users could read. */
export function exposure(sandboxHost: string): string {
  if (/^(127(\.\d{1,3}){3}|::1|localhost)$/.test(sandboxHost)) return '';
  return `
  ATTENTION        SANDBOX_HOST=${sandboxHost}: every caller who reaches this machine can read all customers,
                   accounts and transactions of the sandbox bank's core, and the one-time codes. Put no real data into it.
`;
}

async function firstAccounts(stack: Stack, { name, displayName }: PersonaSummary): Promise<string> {
  try {
    const given = await giveConsent(stack, { persona: name });
    return `The accounts of ${displayName}, under a consent that was given just now:

  ${curlLine(given)}`;
  } catch (error) {
    // The stack goes on: another core may answer later, or know another of its customers.
    if (stack.config.hasOwnCore || !(error instanceof FaultyStart)) throw error;
    return `No consent was given just now: ${error.message}.`;
  }
}

function pagesToOpen(stack: Stack): string {
  const inbox = stack.config.hasOwnSignOn ? `\n  One-time codes   ${stack.inboxUrl}` : '';
  return `  A TPP            ${stack.config.tppUrl}${inbox}
  Access dashboard ${dashboardUrl(stack)}
`;
}

/** Another sign-on knows other passwords, and returns the references by which the core knows its customers. */
function peopleOf({ config }: Stack, people: readonly PersonaSummary[]): string {
  const [title, line] = config.hasOwnSignOn
    ? ['People who bank here, and their passwords:', personLine]
    : [`People who bank here, by their references. They sign in at ${config.signOnUrl}:`, referenceLine];
  return [title, '', ...people.map(line)].join('\n');
}

function personLine({ loginName, password, displayName }: PersonaSummary): string {
  const name = displayName === loginName ? '' : displayName;
  return `  ${loginName.padEnd(14)} ${password.padEnd(24)} ${name}`.trimEnd();
}

function referenceLine({ customerRef, displayName }: PersonaSummary): string {
  return `  ${customerRef.padEnd(14)} ${displayName === customerRef ? '' : displayName}`.trimEnd();
}
