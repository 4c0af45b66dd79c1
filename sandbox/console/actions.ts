import type { FastifyInstance, FastifyReply } from 'fastify';
import { isFault } from '../bank/faults.js';
import { authoriseConsent, curlLine } from '../cli/commands.js';
import type { StackClient } from '../cli/stack.client.js';
import type { SandboxConfig } from '../sandbox.config.js';
import { type Html, html } from '../web/html.js';
import { signInAtDashboard } from './dashboard-visit.js';
import type { Notices } from './notices.js';
import { type Move, type StackTime, moves } from './stack-time.js';
import type { StackView } from './stack-view.js';
import { duration } from './words.js';

export interface ActionParts {
  readonly config: SandboxConfig;
  readonly stack: StackClient;
  readonly time: StackTime;
  readonly view: StackView;
  readonly notices: Notices;
}

/** A form of the console asks for something that cannot be done. The message is for its reader. */
export class ImpossibleAction extends Error {}

type Fields = Readonly<Record<string, string | undefined>>;
/** Performs the action. @returns the notice, and the section to come back to */
type Action = (fields: Fields, parts: ActionParts) => Promise<readonly [told: Html, section: string]>;

/** The command line has the same actions. */
const actions: Readonly<Record<string, Action>> = {
  '/clock': moveClock,
  '/fault': async ({ fault }, { stack }) => {
    if (!isFault(fault)) throw new ImpossibleAction('There is no such fault.');
    await stack.setFault(fault);
    return [fault === 'none' ? html`<p>The core works again.</p>` : html`<p>The core fails now: ${fault}.</p>`, 'core'];
  },
  '/accounts': async ({ ref = '', state = '' }, { stack }) => {
    await stack.setAccountState(ref, state);
    return [html`<p>Account ${ref} is ${state === 'valid' ? 'open to TPPs' : 'blocked for TPPs'}.</p>`, 'people'];
  },
  '/people/consent': giveConsent,
  '/people/unlock': async ({ login = '' }, { stack }) => {
    await stack.unlock(login);
    return [html`<p>${login} can sign in at once: no wrong password or code counts any more.</p>`, 'people'];
  },
  '/consents/authenticate': async ({ id = '', customer = '' }, { stack, time }) => {
    await stack.reauthenticate(id, customer, new Date(time.clock.nowMs()).toISOString());
    return [html`<p>The customer authenticated again for ${id}. Everything is open.</p>`, 'consents'];
  },
  '/consents/revoke': async ({ id = '' }, { stack }) => {
    await stack.revoke(id);
    return [html`<p>The customer withdrew ${id} at the bank.</p>`, 'consents'];
  },
  '/tpps': async ({ id = '', order }, { stack }) => {
    if (order !== 'suspend' && order !== 'reinstate') throw new ImpossibleAction('There is no such order.');
    await stack.setStanding(id, order);
    return [html`<p>${id} is ${order === 'suspend' ? 'suspended' : 'reinstated'}.</p>`, 'tpps'];
  },
};

export function declareActions(server: FastifyInstance, parts: ActionParts): void {
  for (const [path, act] of Object.entries(actions)) {
    server.post(path, async ({ body }, reply) => {
      const [told, section] = await act(fieldsOf(body), parts);
      parts.view.changed();
      return backTo(reply, parts.notices.add(told), section);
    });
  }
  server.post('/people/sign-in', async ({ body }, reply) => {
    const { stack, config } = parts;
    const dashboardUrl = `${config.browserUrl}/as/dashboard`;
    const cookies = await signInAtDashboard(dashboardUrl, await stack.persona(fieldsOf(body).name ?? ''), () =>
      stack.codes(),
    );
    for (const cookie of cookies) void reply.header('set-cookie', cookie);
    return reply.redirect(dashboardUrl, 303);
  });
}

async function moveClock({ by, to }: Fields, { time }: ActionParts): Promise<readonly [Html, string]> {
  const before = time.clock.aheadMs;
  if (isMove(by)) await time.forward(moves[by]);
  else await time.forwardTo(Date.parse(`${to ?? ''}Z`));
  return [html`<p>The bank’s time moved ${duration(time.clock.aheadMs - before)} on.</p>`, 'clock'];
}

function isMove(by: string | undefined): by is Move {
  return by !== undefined && Object.hasOwn(moves, by);
}

async function giveConsent(
  { name = '' }: Fields,
  { stack, config, time }: ActionParts,
): Promise<readonly [Html, string]> {
  const options = { permissions: 'all', accounts: 'all', authenticatedAgoMs: 0, persona: name } as const;
  const given = await authoriseConsent(options, stack, config, time.clock);
  return [
    html`<p>${name} gave a consent to the sandbox’s TPP. Paste this into a terminal:</p>
      <pre tabindex="0" aria-label="Line for a terminal">${curlLine(given, '/accounts')}</pre>`,
    'people',
  ];
}

/** A field that comes twice counts as absent. */
function fieldsOf(body: unknown): Fields {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string'));
}

function backTo(reply: FastifyReply, notice: string, section: string): FastifyReply {
  return reply.redirect(`/?told=${notice}#${section}`, 303);
}
