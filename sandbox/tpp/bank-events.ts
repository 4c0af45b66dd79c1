import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { JWTPayload } from 'jose';
import { eventTypes } from '../../src/open-banking/event-types.js';
import { type BankAccess, end } from './bank-access.js';
import type { Sessions } from './sessions.js';
import type { SiteRequests } from './site-request.js';

/** How long a page waits before it asks again. */
const waitMs = 20_000;
const retryMs = 1_000;

/** Polls the bank for events, and disconnects each browser whose customer withdrew the access at the bank. */
export class BankEvents {
  private readonly withdrawals = new EventEmitter().setMaxListeners(0);
  private readonly stop = new AbortController();

  constructor(
    private readonly bank: BankAccess,
    private readonly sessions: Sessions,
  ) {}

  declare(server: FastifyInstance, siteRequests: SiteRequests): void {
    server.addHook('onListen', () => void this.poll());
    server.addHook('preClose', (done) => {
      this.stop.abort();
      done();
    });
    // The page asks while it is open: 205 when its access has ended, so that it loads again.
    server.get('/withdrawal', async (request, reply) => {
      const { session } = siteRequests.open(request, reply);
      const signal = AbortSignal.any([this.stop.signal, AbortSignal.timeout(waitMs)]);
      const ended = await once(this.withdrawals, session.id, { signal }).then(
        () => true,
        () => false,
      );
      return reply.code(ended ? 205 : 204).send();
    });
  }

  private async poll(): Promise<void> {
    const { signal } = this.stop;
    let acknowledged: string[] = [];
    while (!signal.aborted)
      try {
        const events = await (await this.bank.client()).poll(acknowledged, signal);
        for (const event of events.values())
          if (isWithdrawal(event)) this.withdrawn(event.sub?.split('/').at(-1) ?? '');
        acknowledged = [...events.keys()];
      } catch {
        // The bank may stop, or not know this TPP yet. Its pages say so themselves.
        await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
  }

  private withdrawn(consentId: string): void {
    for (const [session, name] of this.sessions.ofConsent(consentId)) {
      end(session, name);
      this.withdrawals.emit(session.id);
    }
  }
}

function isWithdrawal({ events }: JWTPayload): boolean {
  return Object.hasOwn(events as object, eventTypes['consent-authorization-revoked']);
}

/** The script's part that shows at once that the access has ended. */
export const reloadOnWithdrawal = `
const waitForWithdrawal = async () => {
  const connection = document.querySelector('.connection');
  while (connection) {
    const { status } = await fetch('/withdrawal').catch(() => ({ status: 0 }));
    if (status === 205) return location.assign(connection.dataset.home);
    if (status !== 204) await new Promise((resolve) => setTimeout(resolve, 5000));
  }
};
waitForWithdrawal();
`;
