import { blocked } from './blocked.js';
import { calendar } from './calendar.js';
import { cards } from './cards.js';
import { complete } from './complete.js';
import { joint, partner } from './joint.js';
import { longHistory } from './long-history.js';
import { newcomer } from './newcomer.js';
import { overdrawn } from './overdrawn.js';
import { payer } from './payer.js';
import { type MakePersona, type Persona, makeAccount } from './persona.js';
import { saver } from './saver.js';
import { scripts } from './scripts.js';
import { trader } from './trader.js';
import { traveller } from './traveller.js';

const makers: readonly MakePersona[] = [
  complete,
  overdrawn,
  cards,
  saver,
  blocked,
  longHistory,
  joint,
  partner,
  scripts,
  newcomer,
  payer,
  calendar,
  traveller,
  trader,
];

/** All customers of the bank, with histories that end on the day before the given time. */
export function makePersonas(nowMs: number): Persona[] {
  return makers.map((make) => {
    const persona = make(nowMs);
    return { ...persona, accounts: persona.accounts.map((account) => makeAccount(account, nowMs)) };
  });
}
