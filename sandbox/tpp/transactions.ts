import { type Html, html } from '../web/html.js';
import { textAt } from '../clients/exchange.js';
import { money, weekday } from './wording.js';

/** Day by day in the bank's order, newest first, after the pending ones. */
export function transactionList(transactions: readonly unknown[]): Html {
  if (transactions.length === 0) return html`<p>There are no transactions.</p>`;
  const days = new Map<string, unknown[]>([['Pending', []]]);
  for (const transaction of transactions) {
    const booked = textAt(transaction, 'BookingDateTime');
    const day = booked ? weekday(booked) : 'Pending';
    days.set(day, [...(days.get(day) ?? []), transaction]);
  }
  return html`${[...days]
    .filter(([, entries]) => entries.length > 0)
    .map(
      ([day, entries]) =>
        html`<h3>${day}</h3>
          <ul class="entries">
            ${entries.map(entry)}
          </ul>`,
    )}`;
}

function entry(transaction: unknown): Html {
  const indicator = textAt(transaction, 'CreditDebitIndicator');
  const { Amount: amount, Balance: after } = transaction as { Amount?: unknown; Balance?: { Amount?: unknown } };
  const balance = money(after?.Amount, textAt(after, 'CreditDebitIndicator'));
  const moneyIn = indicator === 'Credit' && /[1-9]/.test(textAt(amount, 'Amount') ?? '');
  return html`<li>
    <span>${textAt(transaction, 'TransactionInformation') ?? (moneyIn ? 'Money in' : 'Money out')}</span>
    <span class="amount">
      <b class="${moneyIn ? 'in' : 'out'}">${moneyIn ? '+' : ''}${money(amount, indicator)}</b>
      ${balance === '' ? undefined : html`<small>then ${balance}</small>`}
    </span>
  </li>`;
}
