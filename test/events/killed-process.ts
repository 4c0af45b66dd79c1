import { randomUUID } from 'node:crypto';
import type { DatabaseConfig } from '../../src/config/database-config.js';
import { ConsentStore } from '../../src/consents/consent.store.js';
import { ConsentEventStore } from '../../src/events/consent-event.store.js';
import { SystemClock } from '../../src/clock/clock.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { tppNamed } from '../support/tpp-named.js';

// Withdraws consents, and polls and acknowledges their events, four of each at a time. It prints each event before it
// acknowledges the event, until it is killed.

const prisma = await PrismaService.open(JSON.parse(process.argv[2] ?? '') as DatabaseConfig);
const consents = new ConsentStore(prisma);
const clock = new SystemClock();
const events = new ConsentEventStore(prisma, clock);
const tpp = tppNamed('tpp-one');

async function withdraw(): Promise<never> {
  for (;;) {
    const [consentId, now] = [randomUUID(), new Date(clock.nowMs())];
    const times = { createdAt: now, createdIn: 'v3.1', statusUpdatedAt: now };
    await consents.create({
      consentId,
      tpp,
      kind: 'account-access',
      permissions: ['ReadBalances'],
      status: 'awaiting',
      ...times,
    });
    await consents.authorise(consentId, { customerRef: 'C1', accounts: [], lastAuthenticatedAt: now }, now);
    await consents.cancel(consentId, now, 'customer-withdrew');
  }
}

async function poll(): Promise<never> {
  for (;;) {
    const found = await events.waiting(tpp, 5);
    for (const { eventId, kind, consentId } of found)
      if (kind === 'withdrawn') process.stdout.write(`${consentId} ${eventId}\n`);
    await events.settle(tpp, { acknowledged: found.map(({ eventId }) => eventId), faulty: [] });
  }
}

await Promise.all(Array.from({ length: 4 }, () => [withdraw(), poll()]).flat());
