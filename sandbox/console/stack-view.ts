import type { CodeSummary, ConsentSummary, PersonaSummary, StackClient, TppSummary } from '../cli/stack.client.js';

/** The stack as the console shows it now. */
export interface StackState {
  readonly people: readonly PersonaSummary[];
  readonly codes: readonly CodeSummary[];
  /** Newest first. */
  readonly consents: readonly ConsentSummary[];
  readonly fault: string;
  readonly tpps: readonly TppSummary[];
}

const shownConsents = 30;

/**
 * Reads the stack through its ports, as the command line does. Browsers that ask at the same time share one read, and
 * the stack is read again only after a change.
 */
export class StackView {
  private reading: Promise<StackState> | undefined;

  constructor(private readonly stack: StackClient) {}

  state(): Promise<StackState> {
    if (this.reading === undefined) {
      const reading = this.read();
      this.reading = reading;
      // A failed read is not kept: the next page reads again.
      reading.catch(() => this.changed());
    }
    return this.reading;
  }

  /** The state that is known may be out of date. */
  changed(): void {
    this.reading = undefined;
  }

  private async read(): Promise<StackState> {
    const { stack } = this;
    const [people, codes, fault, tpps] = await Promise.all([
      stack.personas(),
      stack.codes(),
      stack.fault(),
      stack.tpps(),
    ]);
    const consents = await Promise.all(people.map(({ customerRef }) => stack.consentsOf(customerRef)));
    const created = ({ CreationDateTime = '' }: ConsentSummary): number => Date.parse(CreationDateTime);
    const newest = consents.flat().sort((one, other) => created(other) - created(one));
    return { people, codes, fault, tpps, consents: newest.slice(0, shownConsents) };
  }
}
