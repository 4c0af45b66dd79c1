import { type Html, html } from '../web/html.js';
import { textAt } from '../clients/exchange.js';
import { accountNumber, moment, money, rhythm, words } from './wording.js';

/** A record of the API as a card: a title, an amount if it has one, and all other members by name. */
export function card(record: unknown): Html {
  const title = titlePaths.map((path) => textAt(record, ...path)).find((text) => text !== undefined);
  return html`<div class="card">${title === undefined ? undefined : html`<h3>${title}</h3>`}${described(record)}</div>`;
}

/** The paths of a card's title, the most specific first. */
const titlePaths = [
  ['CreditorAccount', 'Name'],
  ['ProductName'],
  ['Name'],
  ['Description'],
  ['StatementReference'],
] as const;

function described(value: unknown): Html {
  if (Array.isArray(value))
    return html`<ul>
      ${value.map((item) => html`<li>${described(item)}</li>`)}
    </ul>`;
  if (typeof value !== 'object' || value === null) return html`${String(value)}`;
  const rows = Object.entries(value).filter(([name, member]) => !name.endsWith('Id') && member !== '');
  return html`<dl>
    ${rows.map(
      ([name, member]) =>
        html`<dt>${words(name.replace(/(DateTime|Code)$/, ''))}</dt>
          <dd>${said(name, member)}</dd>`,
    )}
  </dl>`;
}

function said(name: string, value: unknown): Html | string {
  if (textAt(value, 'Amount') !== undefined && textAt(value, 'Currency') !== undefined) return money(value);
  const identification = textAt(value, 'Identification');
  if (identification !== undefined) return accountNumber(textAt(value, 'SchemeName'), identification);
  if (name === 'Frequency') return rhythm(value);
  if (typeof value !== 'string') return described(value);
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return moment(value);
  return /(Code|Type|Status)$/.test(name) ? words(value) : value;
}
