import type { FastifyInstance } from 'fastify';
import {
  accountStates,
  personaOf,
  reauthenticate,
  revoke,
  setAccountState,
  setFault,
  setStanding,
  unlock,
} from '../actions/bank.js';
import { curlLine, giveConsent } from '../actions/consent.js';
import { dashboardUrl, signInAtDashboard } from '../actions/customer.js';
import { faults } from '../bank/faults.js';
import type { Stack } from '../clients/stack.js';
import { ImpossibleMove, type StackTime, moves } from '../clock/stack-time.js';
import { type Html, html } from '../web/html.js';
import type { Notices } from './notices.js';
import type { StackView } from './stack-view.js';
import { duration } from './words.js';

export interface FormParts {
  readonly stack: Stack;
  readonly time: StackTime;
  readonly view: StackView;
  readonly notices: Notices;
}

/** A form of the console asks for something that cannot be done. The message is for its reader. */
export class ImpossibleAction extends Error {}

type Fields = Readonly<Record<string, string | undefined>>;
/** Takes the action of a form. @returns the notice, and the section to come back to */
type Form = (fields: Fields, parts: FormParts) => Promise<readonly [notice: Html, section: string]>;

const forms: Readonly<Record<string, Form>> = {
  '/clock': async ({ by, to }, { time }) => {
    const before = time.clock.aheadMs;
    if (by !== undefined) await time.forward(moves[oneOf(Object.keys(moves) as (keyof typeof moves)[], by)]);
    else await time.forwardTo(Date.parse(`${to ?? ''}Z`));
    return [html`<p>The bank’s time moved forward by ${duration(time.clock.aheadMs - before)}.</p>`, 'clock'];
  },
  '/fault': async ({ fault }, { stack }) => {
    const { fault: now } = await setFault(stack, oneOf(faults, fault));
    return [now === 'none' ? html`<p>The core works again.</p>` : html`<p>The core fails now: ${now}.</p>`, 'core'];
  },
  '/accounts': async ({ ref = '', state }, { stack }) => {
    const { state: now } = await setAccountState(stack, ref, oneOf(accountStates, state));
    return [html`<p>Account ${ref} is ${now === 'valid' ? 'open to TPPs' : 'blocked for TPPs'}.</p>`, 'people'];
  },
  '/people/consent': async ({ name = '' }, { stack }) => {
    const given = await giveConsent(stack, { persona: name });
    return [
      html`<p>${name} gave a consent to the sandbox’s TPP. Paste this into a terminal:</p>
        <pre tabindex="0" aria-label="Line for a terminal">${curlLine(given)}</pre>`,
      'people',
    ];
  },
  '/people/unlock': async ({ login = '' }, { stack }) => {
    await unlock(stack, login);
    return [html`<p>${login} can sign in at once: no wrong password or code counts any more.</p>`, 'people'];
  },
  '/consents/authenticate': async ({ id = '' }, { stack }) => {
    await reauthenticate(stack, id);
    return [html`<p>The customer authenticated again for ${id}. Everything is open.</p>`, 'consents'];
  },
  '/consents/revoke': async ({ id = '' }, { stack }) => {
    await revoke(stack, id);
    return [html`<p>The customer withdrew ${id} at the bank.</p>`, 'consents'];
  },
  '/tpps': async ({ id = '', issuer = '', order }, { stack }) => {
    const given = oneOf(['suspend', 'reinstate'] as const, order);
    await setStanding(stack, { ClientId: id, Issuer: issuer }, given);
    return [html`<p>${id} is ${given === 'suspend' ? 'suspended' : 'reinstated'}.</p>`, 'tpps'];
  },
};

export function declareForms(server: FastifyInstance, parts: FormParts): void {
  for (const [path, submit] of Object.entries(forms)) {
    server.post(path, async ({ body }, reply) => {
      const [notice, section] = await submit(fieldsOf(body), parts);
      parts.view.changed();
      return reply.redirect(`/?notice=${parts.notices.add(notice)}#${section}`, 303);
    });
  }
  server.post('/people/sign-in', async ({ body }, reply) => {
    const { stack } = parts;
    const cookies = await signInAtDashboard(stack, await personaOf(stack, fieldsOf(body).name ?? ''));
    for (const cookie of cookies) void reply.header('set-cookie', cookie);
    return reply.redirect(dashboardUrl(stack), 303);
  });
  declareClock(server, parts);
}

/** For the command line, which moves the same clock as the form. */
function declareClock(server: FastifyInstance, { time, view }: FormParts): void {
  const byMs = { type: 'integer', minimum: 1 } as const;
  const schema = { body: { type: 'object', required: ['byMs'], properties: { byMs } } };
  server.put<{ Body: { byMs: number } }>('/clock', { schema }, async ({ body }, reply) => {
    try {
      await time.forward(body.byMs);
    } catch (error) {
      if (error instanceof ImpossibleMove) return reply.code(400).send({ error: error.message });
      throw error;
    }
    view.changed();
    return { now: new Date(time.clock.nowMs()).toISOString(), aheadMs: time.clock.aheadMs };
  });
}

function oneOf<Value extends string>(choices: readonly Value[], value: string | undefined): Value {
  const found = choices.find((one) => one === value);
  if (found === undefined) throw new ImpossibleAction(`Choose one of ${choices.join(', ')}.`);
  return found;
}

/** A field that comes twice counts as absent. */
function fieldsOf(body: unknown): Fields {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string'));
}
