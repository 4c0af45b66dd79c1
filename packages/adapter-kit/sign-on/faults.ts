import { CustomerAuthenticationUnavailable } from '../../customer-authentication/customer-authentication.js';
import type { SignOnCall } from '../../customer-authentication/sign-on-http.js';
import { canary } from '../spoil.js';
import type { Answering } from './sign-on-world.js';

const json = (status: number, body: unknown) => () =>
  Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }));

const unreachable = (): Promise<Response> =>
  Promise.reject(new CustomerAuthenticationUnavailable('the sign-on is unreachable'));

/** As the lent HTTP client ends a call at its deadline. */
const late = (): Promise<Response> =>
  new Promise((_resolve, reject) =>
    setTimeout(() => reject(new CustomerAuthenticationUnavailable('no answer before the deadline')), 50),
  );

/** No answer at all; the lent HTTP client ends a call when its signal fires. */
export function silence(): { readonly answer: Exclude<Answering, undefined>; readonly openCalls: number } {
  let openCalls = 0;
  const answer = ({ signal }: SignOnCall): Promise<Response> => {
    openCalls++;
    return new Promise((_resolve, reject) => {
      const end = (): void => {
        openCalls--;
        reject(new CustomerAuthenticationUnavailable('the sign-on did not answer before the deadline'));
      };
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end, { once: true });
    });
  };
  return {
    answer,
    get openCalls() {
      return openCalls;
    },
  };
}

/** Answers that may come in place of the sign-on's own. */
export const faults: readonly (readonly [string, Exclude<Answering, undefined>])[] = [
  ['is unreachable', unreachable],
  ['is late', late],
  ['answers 500', json(500, { error: canary, fail: canary })],
  ['answers 403 without a reason', json(403, { message: canary })],
  ['answers 200 with another body', json(200, { [canary]: canary })],
  ['answers null', json(200, null)],
  ['answers a list', json(201, [canary])],
  [
    'answers with a page of HTML',
    () => Promise.resolve(new Response(`<p>${canary}</p>`, { headers: { 'content-type': 'text/html' } })),
  ],
  ['redirects', () => Promise.resolve(new Response(null, { status: 302, headers: { location: `/${canary}` } }))],
];
