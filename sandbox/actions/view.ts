import type { CodeMessage } from '../bank/inbox.js';
import type { Stack } from '../clients/stack.js';
import {
  type ConsentSummary,
  type PersonaSummary,
  type TppSummary,
  codes,
  consentsOf,
  faultOfCore,
  personas,
  tpps,
} from './bank.js';

/** The people, codes, consents and TPPs of a stack, and the fault of its core. */
export interface StackState {
  readonly people: readonly PersonaSummary[];
  readonly codes: readonly CodeMessage[];
  /** Newest first. */
  readonly consents: readonly ConsentSummary[];
  readonly fault: string;
  readonly tpps: readonly TppSummary[];
}

const shownConsents = 30;

export async function stateOf(stack: Stack): Promise<StackState> {
  const [people, sent, fault, registered] = await Promise.all([
    personas(stack),
    codes(stack),
    faultOfCore(stack),
    tpps(stack),
  ]);
  const consents = await Promise.all(people.map(({ customerRef }) => consentsOf(stack, customerRef)));
  const created = ({ CreationDateTime = '' }: ConsentSummary): number => Date.parse(CreationDateTime);
  const newest = consents.flat().sort((one, other) => created(other) - created(one));
  return { people, codes: sent, fault, tpps: registered, consents: newest.slice(0, shownConsents) };
}
