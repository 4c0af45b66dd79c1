import { faults } from '../bank/faults.js';
import type { CodeMessage } from '../bank/inbox.js';
import type { ConsentSummary, PersonaSummary, TppSummary } from '../actions/bank.js';
import type { StackState } from '../actions/view.js';
import { type Html, html } from '../web/html.js';
import { left, timeOf } from '../web/time.js';
import { button, dayAndTimeOf, dayOf, duration } from './words.js';

/** The windows that the bank publishes. */
export interface Windows {
  readonly windowMs: number;
  readonly exemptHistoryMs: number;
}

export function clockSection(nowMs: number, aheadMs: number, hasOwnCore: boolean): Html {
  return html`<section id="clock" aria-labelledby="clock-title">
    <h2 id="clock-title">Clock</h2>
    <div data-live="clock">
      <p class="now">
        At the bank it is <b>${dayAndTimeOf(nowMs)}</b>${
          aheadMs === 0 ? ', the machine’s own time.' : html`, ${duration(aheadMs)} ahead of this machine.`
        }
      </p>
    </div>
    <div class="actions">
      ${button('/clock', 'Forward 5 minutes', { by: '5m' })} ${button('/clock', 'Forward 15 minutes', { by: '15m' })}
      ${button('/clock', 'Forward 90 days', { by: '90d' })}
      <form method="post" action="/clock">
        <label>Day and time, UTC <input type="datetime-local" name="to" required /></label>
        <button>Move there</button>
      </form>
    </div>
    <p class="quiet">
      ${
        hasOwnCore
          ? 'Consents, windows, codes and the bank’s records follow this time.'
          : 'Consents, windows and codes follow this time; the records of a core that is not the sandbox’s do not.'
      }
      Tokens, signatures and certificates stay in real time, as a TPP’s clock does not move. Time moves forward only,
      and a restart keeps it.
    </p>
  </section>`;
}

/** The actions that this stack offers on people. */
export interface PeopleActions {
  readonly canSignIn: boolean;
  /** Accounts of another core are blocked there, and not here. */
  readonly canBlock: boolean;
}

export function peopleSection(people: readonly PersonaSummary[], actions: PeopleActions): Html {
  return html`<section id="people" aria-labelledby="people-title">
    <h2 id="people-title">People</h2>
    <ul class="cards">
      ${people.map((person) => onePerson(person, actions))}
    </ul>
  </section>`;
}

function onePerson(
  { name, displayName, loginName, password, shows, accounts, fault }: PersonaSummary,
  { canSignIn, canBlock }: PeopleActions,
): Html {
  return html`<li class="card">
    <h3>${displayName}</h3>
    <p>${shows}</p>
    <p class="quiet">Login name <code>${loginName}</code>, password <code>${password}</code></p>
    <div class="actions">
      ${canSignIn ? button('/people/sign-in', 'Sign in', { name }, { label: `Sign in as ${displayName}` }) : undefined}
      ${button('/people/consent', 'Give a consent', { name }, { label: `Give a consent as ${displayName}` })}
      ${canSignIn ? button('/people/unlock', 'Unlock', { login: loginName }, { label: `Unlock ${displayName}` }) : undefined}
    </div>
    ${fault && html`<p><b>No accounts:</b> ${fault}.</p>`}
    <details id="accounts-${name}">
      <summary>${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'}</summary>
      <ul class="plain">
        ${accounts.map(({ core, ref, product, state }) => {
          const blocked = state === 'not-permitted';
          return html`<li>
            <span
              >${product} <code>${ref}</code> ${core && html`at ${core}`}
              ${blocked ? html`<b>blocked</b>` : undefined}</span
            >
            ${
              canBlock
                ? button(
                    '/accounts',
                    blocked ? 'Unblock' : 'Block',
                    { ref, state: blocked ? 'valid' : 'not-permitted' },
                    { label: `${blocked ? 'Unblock' : 'Block'} account ${ref}` },
                  )
                : undefined
            }
          </li>`;
        })}
      </ul>
    </details>
  </li>`;
}

export function inboxSection(codes: readonly CodeMessage[], nowMs: number): Html {
  return html`<section id="inbox" aria-labelledby="inbox-title">
    <h2 id="inbox-title">Inbox</h2>
    <div data-live="inbox">
      ${
        codes.length === 0
          ? html`<p>No code has been sent yet. One is sent when a customer signs in with the right password.</p>`
          : html`<ol class="plain">
              ${codes.slice(0, 5).map(
                ({ displayName, code, sentAtMs, goodUntilMs }) =>
                  html`<li>
                    <span>To ${displayName}: <strong class="code">${code}</strong></span>
                    <span class="quiet"
                      >sent at ${timeOf(sentAtMs)},
                      ${goodUntilMs > nowMs ? html`valid until ${timeOf(goodUntilMs)}` : 'expired'}</span
                    >
                  </li>`,
              )}
            </ol>`
      }
    </div>
  </section>`;
}

export function consentsSection({ consents, people, tpps }: StackState, windows: Windows, nowMs: number): Html {
  const customers = new Map(people.map(({ customerRef, displayName }) => [customerRef, displayName]));
  const tppNames = new Map(tpps.map(({ ClientId, Name }) => [ClientId, Name]));
  const named = ({ CustomerRef = '', TppId = '' }: ConsentSummary): Html =>
    html`${customers.get(CustomerRef)} <small>for ${tppNames.get(TppId) ?? TppId}</small>`;
  return html`<section id="consents" aria-labelledby="consents-title">
    <h2 id="consents-title">Consents</h2>
    <div data-live="consents">
      <ul class="cards">
        ${consents.map((consent) => oneConsent(consent, named, windows, nowMs))}
      </ul>
    </div>
  </section>`;
}

function oneConsent(
  consent: ConsentSummary,
  named: (consent: ConsentSummary) => Html,
  windows: Windows,
  nowMs: number,
): Html {
  const { ConsentId, Status, ExpirationDateTime } = consent;
  const isLive = Status === 'authorised';
  return html`<li class="card">
    <h3>${named(consent)}</h3>
    <p class="quiet"><code>${ConsentId}</code></p>
    <p>${Status}${ExpirationDateTime && isLive ? html`, until ${dayOf(Date.parse(ExpirationDateTime))}` : undefined}</p>
    ${isLive ? openWindows(consent, windows, nowMs) : undefined}
    ${
      isLive
        ? html`<div class="actions">
            ${button('/consents/authenticate', 'Authenticate again', { id: ConsentId }, { label: `Authenticate again for ${ConsentId}` })}
            ${button('/consents/revoke', 'Withdraw', { id: ConsentId }, { label: `Withdraw ${ConsentId}` })}
          </div>`
        : undefined
    }
  </li>`;
}

function openWindows(consent: ConsentSummary, { windowMs, exemptHistoryMs }: Windows, nowMs: number): Html {
  const authenticatedAtMs = Date.parse(consent.LastAuthenticatedDateTime ?? '');
  const leftMs = Math.min(windowMs, Math.max(0, authenticatedAtMs + windowMs - nowMs));
  const since = nowMs - exemptHistoryMs;
  return html`<div class="window" data-left-ms="${leftMs}">
      <p data-window="open" ${leftMs > 0 ? undefined : 'hidden'}>
        <b>Everything is open</b>, <span data-countdown>${left(leftMs)}</span>
      </p>
      <p data-window="over" ${leftMs > 0 ? 'hidden' : undefined}>
        <b>The authentication window is closed</b> since ${timeOf(authenticatedAtMs + windowMs)}
      </p>
      <progress max="${windowMs}" value="${leftMs}" aria-label="Time in which everything can be read"></progress>
    </div>
    <p class="quiet">
      Authenticated ${dayAndTimeOf(authenticatedAtMs)}. Always open: accounts, balances, and transactions since
      ${dayOf(since)} (${duration(exemptHistoryMs)}).
    </p>`;
}

/** @param otherCore the setting CORE or CORES, where the core is not the sandbox's own */
export function coreSection(current: string, otherCore: string | undefined): Html {
  return otherCore === undefined
    ? faultsSection(current)
    : html`<section id="core" aria-labelledby="core-title">
        <h2 id="core-title">The core</h2>
        <p><code>${otherCore}</code></p>
        <p>It is not the sandbox’s: make it fail, change balances and block accounts at the core itself.</p>
      </section>`;
}

function faultsSection(current: string): Html {
  return html`<section id="core" aria-labelledby="core-title">
    <h2 id="core-title">The core</h2>
    <div data-live="core">
      <p>${current === 'none' ? 'It works.' : html`It is made to fail: <b>${current}</b>.`}</p>
    </div>
    <form method="post" action="/fault" class="search">
      <label
        >Fault
        <select name="fault">
          ${faults.map((fault) => html`<option ${fault === current ? 'selected' : undefined}>${fault}</option>`)}
        </select></label
      >
      <button>Set</button>
    </form>
  </section>`;
}

export function tppsSection(tpps: readonly TppSummary[]): Html {
  return html`<section id="tpps" aria-labelledby="tpps-title">
    <h2 id="tpps-title">TPPs</h2>
    <div data-live="tpps">
      ${tpps.length === 0 ? html`<p>No TPP is registered.</p>` : undefined}
      <ul class="plain">
        ${tpps.map(({ ClientId, Issuer, Name, Status }) => {
          const suspended = Status === 'suspended';
          return html`<li>
            <span>${Name} <code>${ClientId}</code> ${suspended ? html`<b>suspended</b>` : undefined}</span>
            ${button(
              '/tpps',
              suspended ? 'Reinstate' : 'Suspend',
              { id: ClientId, issuer: Issuer, order: suspended ? 'reinstate' : 'suspend' },
              { label: `${suspended ? 'Reinstate' : 'Suspend'} ${Name ?? ClientId}` },
            )}
          </li>`;
        })}
      </ul>
    </div>
  </section>`;
}
