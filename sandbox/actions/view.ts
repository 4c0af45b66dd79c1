import type { Stack } from '../clients/stack.js';
import { type ConsentSummary, codes, consentsOf, faultOfCore, personas, tpps } from './bank.js';

const shownConsents = 30;

/** The people, codes, consents (newest first) and TPPs of a stack, and the fault of its core. */
export type StackState = Awaited<ReturnType<typeof stateOf>>;

export async function stateOf(stack: Stack) {
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
