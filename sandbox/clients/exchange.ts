import type { Agent } from 'undici';
import { versions } from '../../src/versions/versions.js';
import { fetchOver } from './bank-connection.js';

/** One request to the bank's API and its answer, as they were sent. It holds only the beginning of a token. */
export type Exchange = Readonly<Awaited<ReturnType<typeof exchange>>>;

/** Sends a request to the bank's API over mutual TLS. */
export async function exchange(agent: Agent, method: string, url: string, token: string, body: unknown) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    'x-fapi-interaction-id': crypto.randomUUID(),
    ...(text !== undefined && { 'content-type': 'application/json' }),
  };
  const answer = await fetchOver(agent, url, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    ...(text !== undefined && { body: text }),
  });
  const received = await answer.text();
  return {
    request: {
      line: `${method} ${url}`,
      headers: { ...headers, authorization: `Bearer ${token.slice(0, 12)}…` },
      ...(text !== undefined && { body: text }),
    },
    response: { status: answer.status, headers: Object.fromEntries(answer.headers), body: received },
    /** The answer's JSON; `undefined` if the answer is not JSON. */
    json: parsedJson(received),
  };
}

/** The text at a path of JSON; `undefined` if that place has no text. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    value,
  );
  return typeof found === 'string' ? found : undefined;
}

/** The records of an answer, by the name that the standard gives their list. */
export function listIn(json: unknown, name: string): readonly unknown[] {
  const list = ((json as { Data?: unknown } | undefined)?.Data as Record<string, unknown> | undefined)?.[name];
  return Array.isArray(list) ? list : [];
}

/** Whether the bank wants the customer to authenticate again first. */
export function isRefusedByWindow({ json }: Exchange): boolean {
  const { Errors = [] } = (json ?? {}) as { readonly Errors?: readonly unknown[] };
  return versions.some(({ errors }) => textAt(Errors[0], 'ErrorCode') === errors.codes.reauthentication);
}

/** The JSON of a text; `undefined` if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
