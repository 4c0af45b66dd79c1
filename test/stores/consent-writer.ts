// A process that data-directory.spec.ts kills: it authorises consents one after the other in the given data directory, and
// prints the id of each as soon as the store has answered.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { ConsentStore } from '../../src/consents/consent.store.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { tppNamed } from '../support/tpp-named.js';

const [dataDir = ''] = process.argv.slice(2);
const store = new ConsentStore(await PrismaService.open({ dataDir }));
for (;;) {
  const consentId = randomUUID();
  const now = new Date('2026-03-01T10:00:00Z');
  await store.create({
    consentId,
    tpp: tppNamed('tpp-1'),
    kind: 'account-access',
    permissions: ['ReadAccountsBasic'],
    status: 'awaiting',
    createdAt: now,
    createdIn: 'v3.1',
    statusUpdatedAt: now,
  });
  await store.authorise(consentId, { customerRef: 'customer-1', accounts: [], lastAuthenticatedAt: now }, now);
  writeSync(1, `${consentId}\n`);
}
