import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { type BankConnection, type BankSettings, fetchOver } from './bank-connection.js';

const crit = Object.fromEntries(['iat', 'iss', 'tan'].map((name) => [`http://openbanking.org.uk/${name}`, true]));

/**
 * Acknowledges the events that the TPP knows, and waits for others.
 * @param acknowledged their ids
 * @returns the verified claims of the others by their ids; none where the bank's time for a poll has ended
 */
export async function pollEvents(
  { agent, facts }: BankConnection,
  { tppUrl, clientId }: BankSettings,
  rootPath: string,
  token: string,
  acknowledged: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, JWTPayload>> {
  const ask = async (path: string, options: RequestInit = {}): Promise<unknown> =>
    (await fetchOver(agent, `${tppUrl}${path}`, { ...options, signal })).json();
  const { Issuer: issuer, KeysUrl } = facts.Events;
  const keys = createLocalJWKSet((await ask(new URL(KeysUrl).pathname)) as JSONWebKeySet);
  const { sets } = (await ask(`${rootPath}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ack: acknowledged }),
  })) as { sets: Record<string, string> };
  const expected = { issuer, audience: clientId, algorithms: ['PS256'], crit };
  return new Map(
    await Promise.all(
      Object.entries(sets).map(async ([jti, set]) => [jti, (await jwtVerify(set, keys, expected)).payload] as const),
    ),
  );
}
