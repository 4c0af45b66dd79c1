import { MerkleTree } from './merkle.js';
import { RefusedFile } from './regular-file.js';
import type { SegmentRoot } from './root-record.js';
import { linesOf } from './segment-reader.js';
import { numberIn, readEvent, type StoredEvent } from './stored-event.js';
import { withdrawals, type Withdrawal } from './withdrawal-event.js';
import { hasMac } from './withdrawal-line.js';
import { count } from './words.js';

/** A withdrawal that a gateway wrote. */
export interface StoredWithdrawal {
  /** One that was written twice has the same id. */
  readonly id: string;
  readonly at: Date;
  readonly event: Withdrawal;
  readonly by: 'customer' | 'bank';
  /** The id of the consent or of the authorisation, or the client id of the TPP. */
  readonly subject: string;
  /** The pseudonym of the account that left the consent; empty in other withdrawals. */
  readonly account: string;
  /** The TPP's issuer; empty where the withdrawal is of no TPP. */
  readonly issuer: string;
}

interface SegmentPart {
  readonly path: string;
  readonly instance: string;
  /** Absent where the segment has none. */
  readonly root: SegmentRoot | undefined;
}

interface Content {
  readonly withdrawals: readonly StoredWithdrawal[];
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

/** Reads one segment, line by line. */
export class SegmentPass {
  private readonly withdrawals: StoredWithdrawal[] = [];
  private readonly faults: string[] = [];
  private readonly notes: string[] = [];
  private readonly forged: number[] = [];
  private readonly tree = new MerkleTree();
  private line = 0;
  /** The number that the last authentic withdrawal has in its line. */
  private number = 0;

  constructor(
    private readonly part: SegmentPart,
    private readonly macKey: Buffer,
  ) {}

  async read(): Promise<Content> {
    const { withdrawals, faults, notes, forged, part } = this;
    try {
      await this.readLines();
    } catch (error) {
      faults.push(
        `${part.path}: ${error instanceof RefusedFile ? error.message : `it cannot be read (${codeOf(error)})`}`,
      );
    }
    if (forged.length > 0)
      faults.push(
        `${part.path}: no gateway with this TRAIL_KEY wrote the withdrawals in ${forged.length === 1 ? 'line' : 'lines'} ` +
          `${forged.join(', ')} (the MAC is wrong or missing): refused`,
      );
    return { withdrawals, faults, notes };
  }

  private async readLines(): Promise<void> {
    const { path, root } = this.part;
    const lines = linesOf(path);
    for (;;) {
      const { value, done } = await lines.next();
      if (done !== true) {
        this.add(value);
        continue;
      }
      if (value > 0) this.notes.push(`${path}: half a line at its end, which was never acknowledged`);
      if (root !== undefined && this.tree.root() !== root.root)
        this.faults.push(
          `${path}: its ${count(this.line, 'line')} are not the ${count(root.events, 'event')} of its signed root`,
        );
      return;
    }
  }

  private add(line: Buffer): void {
    this.tree.add(line);
    this.line++;
    if (!line.includes('"kind":"withdrawal"')) return;
    const text = line.toString();
    const event = readEvent(text);
    if (event?.['kind'] !== 'withdrawal') return;
    if (hasMac(text, this.macKey)) this.addAuthentic(event);
    else this.forged.push(this.line);
  }

  private addAuthentic(event: StoredEvent): void {
    const where = `${this.part.path}: line ${this.line}`;
    const expected = this.number + 1;
    this.number = numberIn(event, 'number') ?? 0;
    if (this.number !== expected || event['instance'] !== this.part.instance)
      this.faults.push(`${where} is not where the gateway wrote it: lines were removed, repeated or moved`);
    const withdrawal = withdrawalOf(event);
    if (withdrawal === undefined) this.faults.push(`${where} is a withdrawal that this release does not know`);
    else this.withdrawals.push(withdrawal);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).name;
}

/** `undefined` where the event names no withdrawal of this release. */
function withdrawalOf(event: StoredEvent): StoredWithdrawal | undefined {
  // As the gateway wrote them: `textIn` would replace characters.
  const text = (member: string): string => (typeof event[member] === 'string' ? event[member] : '');
  const kind = withdrawals.find((one) => one === event['event']);
  const isOfTpp = kind?.startsWith('tpp-') === true;
  const subject = text(isOfTpp ? 'tpp' : kind === 'authorisation-ended' ? 'authorisation' : 'consent');
  const [id, at, issuer] = [text('id'), new Date(text('at')), isOfTpp ? text('issuer') : ''];
  const account = kind === 'account-left' ? text('account') : '';
  if (kind === undefined || subject === '' || Number.isNaN(at.getTime()) || (isOfTpp && issuer === ''))
    return undefined;
  if (kind === 'account-left' && account === '') return undefined;
  return { id, at, event: kind, by: event['by'] === 'customer' ? 'customer' : 'bank', subject, account, issuer };
}
