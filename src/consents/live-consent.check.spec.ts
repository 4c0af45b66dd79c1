import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { SystemClock } from '../clock/clock.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { tppId } from '../open-banking/tpp-id.js';
import { RequestContext, type Grant } from '../request/request-context.js';
import { LiveConsentCheck } from './live-consent.check.js';
import type { LiveConsent, LiveConsents } from './live-consents.js';

const grant: Grant = {
  consentId: 'aac-1',
  customerRef: 'C1',
  pseudonym: 'the customer',
  kind: 'account-access',
  permissions: new Set(),
  accounts: new Map(),
  history: {},
  createdIn: 'v3.1',
  lastAuthenticatedAtMs: 0,
};
const tpp = tppId('https://issuer.example', 'tpp-one');

describe('LiveConsentCheck.findRefusal', () => {
  const clock = new SystemClock();
  let reads = 0;
  /** The check where the store has this consent now. */
  const checkWith = (live: LiveConsent | undefined): LiveConsentCheck => {
    reads = 0;
    const find = (): Promise<LiveConsent | undefined> => {
      reads++;
      return Promise.resolve(live);
    };
    return new LiveConsentCheck({ find } as unknown as LiveConsents, clock);
  };
  const underWay = (): RequestContext => {
    const context = new RequestContext('id', new ServerResponse(new IncomingMessage(new Socket())), false);
    context.token = { tpp, scopes: new Set(), consentId: grant.consentId, expiresAtMs: 0 };
    context.grant = grant;
    context.check = 'authentication window';
    return context;
  };
  const authorised = (lastAuthenticatedAtMs: number): LiveConsent => ({
    consent: { consentId: grant.consentId, kind: grant.kind, tpp, status: 'authorised' } as LiveConsent['consent'],
    grant: { ...grant, lastAuthenticatedAtMs },
  });
  const tooOld = ({ lastAuthenticatedAtMs }: Grant): string | undefined =>
    lastAuthenticatedAtMs < 10 ? 'too old' : undefined;

  it('reads nothing where the cached grant is good', async () => {
    expect(await checkWith(undefined).findRefusal(underWay(), () => undefined)).toBeUndefined();
    expect(reads).toBe(0);
  });

  it('reads the grant again before it refuses, and keeps it for the rest of the request', async () => {
    const context = underWay();
    expect(await checkWith(authorised(10)).findRefusal(context, tooOld)).toBeUndefined();
    expect([reads, context.granted().lastAuthenticatedAtMs, context.check]).toEqual([1, 10, 'authentication window']);
    expect(await checkWith(authorised(9)).findRefusal(underWay(), tooOld)).toBe('too old');
  });

  it('refuses in its name where the consent has ended meanwhile', async () => {
    const context = underWay();
    await expect(checkWith(undefined).findRefusal(context, tooOld)).rejects.toThrow(OpenBankingError);
    expect(context.check).toBe('live consent');
  });
});
