// Asks whether a customer's account has an amount. Run it with: node --env-file=.env ask-for-funds.js 25.00
import { approved, ask, events, ownToken } from './bank.js';

const { SCHEME_NAME, IDENTIFICATION, CURRENCY } = process.env;
const [, , Amount = '25.00'] = process.argv;

// 1. Create a consent for the account that the customer named.
const DebtorAccount = { SchemeName: SCHEME_NAME, Identification: IDENTIFICATION };
const { ConsentId } = await ask('/funds-confirmation-consents', ownToken, { Data: { DebtorAccount } });

// 2. Send the customer to the bank.
const token = await approved(ConsentId);

// 3. Ask, as often as needed, each time with another reference.
const InstructedAmount = { Amount, Currency: CURRENCY };
const Data = { ConsentId, Reference: crypto.randomUUID().replaceAll('-', ''), InstructedAmount };
const { FundsAvailable } = await ask('/funds-confirmations', token, { Data });
console.log(`${Amount} ${CURRENCY}: ${FundsAvailable ? 'yes' : 'no'}`);

// 4. Poll for the events of the consents: a withdrawal at the bank is one.
for (const { sub, events: types } of await events()) console.log(`event: ${Object.keys(types)} of ${sub}`);
