import type { AccountTruth } from '../../../packages/adapter-kit/adapter-kit.js';
import type { CoreParty, CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import type { People } from '../../adapter-kit/tiny-people.js';

/** How a bank writes its files. Lines have no line end. */
export interface FeedShape {
  /** The bank's YAML file. */
  readonly mapping: string;
  /** Whether each delivery names the one that it follows. */
  readonly follows: boolean;
  readonly people: People;
  /** The parts of a delivery, in the order of the files. */
  readonly parts: readonly string[];
  /** The text of a part's file. */
  fileOf(part: string, lines: readonly string[]): string;
  holderLine(customerRef: string, accountRef: string): string;
  partyLine(customerRef: string, person: CoreParty): string;
  transactionLine(accountRef: string, row: CoreTransaction): string;
  /** The lines of an account in one of the other parts. */
  linesOf(part: string, truth: AccountTruth): readonly string[];
  /** A balance whose amount is not a number. */
  brokenBalance(accountRef: string): string;
}
