// Reads everything that a customer lets this TPP read. Run it with: node --env-file=.env read-accounts.js
import { approved, ask, events, ownToken } from './bank.js';

const { PERMISSIONS, RESOURCES } = process.env;

// 1. Create a consent.
const wanted = { Data: { Permissions: PERMISSIONS.split(' ') }, Risk: {} };
const { ConsentId } = await ask('/account-access-consents', ownToken, wanted);

// 2. Send the customer to the bank.
const token = await approved(ConsentId);

// 3. Read the accounts, and each resource of each account.
const { Account } = await ask('/accounts', token);
console.log(`/accounts: ${Account.length} records`);
for (const { AccountId, Description } of Account)
  for (const resource of RESOURCES.split(' ')) {
    const data = await ask(`/accounts/${AccountId}/${resource}`, token);
    console.log(`/accounts/${AccountId}/${resource} (${Description}): ${Object.values(data).flat().length} records`);
  }

// 4. Poll for the events of the consents: a withdrawal at the bank is one.
for (const { sub, events: types } of await events()) console.log(`event: ${Object.keys(types)} of ${sub}`);
