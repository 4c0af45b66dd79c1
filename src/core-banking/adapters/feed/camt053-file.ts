import { RowFault } from '../../../../packages/core-adapter/core-rows.js';
import type { CoreBalance, CoreTransaction } from '../../../../packages/core-adapter/core.records.js';
import { minorUnitDigits } from '../../../../packages/core-adapter/currencies.js';
import { balanceOf, signedOf, type StatedBalance, transactionOf } from './camt053-records.js';
import type { ReadRecord } from './csv-file.js';
import { delivered } from './delivered-record.js';
import type { Camt053Form, FeedFile } from './feed-file.js';
import { childText, type XmlElement, XmlElements, type XmlEvents } from './xml-elements.js';

const namespaceForm = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d\d$/;

/** The elements of each part. Each counts as one row, those too that are only information. */
const elements = { balances: 'Bal', transactions: 'Ntry' } as const;

/** The balances or the entries of a file with camt.053 statements, as its text arrives. @throws FileBroken */
export async function* camt053Records(
  texts: AsyncIterable<string>,
  part: 'balances' | 'transactions',
  form: Camt053Form,
  file: FeedFile,
): AsyncGenerator<readonly ReadRecord[]> {
  let found: ReadRecord[] = [];
  const xml = new XmlElements(
    statementEvents(
      part,
      file,
      () => new Statement(form, file.timeZone),
      (read) => found.push(read),
    ),
  );
  for await (const text of texts) {
    xml.write(text);
    yield found;
    found = [];
  }
  xml.end();
  yield found;
}

/** A fault of one element is the fault of its line. The file is read on, so that other faults are named too. */
function statementEvents(
  part: keyof typeof elements,
  file: FeedFile,
  begin: () => Statement,
  add: (read: ReadRecord) => void,
): XmlEvents {
  let statement = begin();
  const naming = (line: number, use: () => void): void => {
    try {
      use();
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      add({ line, fault: error.message });
    }
  };
  return {
    root: (namespace, name) =>
      name === 'Document' && namespaceForm.test(namespace) ? undefined : 'is no document of ISO 20022 camt.053',
    above: ['Document', 'BkToCstmrStmt', 'Stmt'],
    element: (element, line) =>
      naming(line, () => {
        const record = statement.take(element);
        if (element.name !== elements[part]) return;
        add(
          record === undefined ? { line } : { line, record: delivered(part, statement.account, { ...record }, file) },
        );
      }),
    end: (line) => {
      naming(line, () => statement.check());
      statement = begin();
    },
  };
}

/** One statement, as far as it has been read. */
class Statement {
  private accountRef?: string;
  private readonly balances = new Map<string, StatedBalance['amount']>();
  /** Sums of the booked entries by currency, in minor units. */
  private readonly booked = new Map<string, bigint>();
  private entries = 0;
  private summary?: XmlElement;

  constructor(
    private readonly form: Camt053Form,
    private readonly timeZone: string | undefined,
  ) {}

  get account(): string {
    if (this.accountRef === undefined) throw new RowFault('Stmt.Acct', 'missing');
    return this.accountRef;
  }

  take(element: XmlElement): CoreBalance | CoreTransaction | undefined {
    switch (element.name) {
      case 'StmtPgntn':
        if (childText(element, 'PgNb') !== '1' || !['true', '1'].includes(childText(element, 'LastPgInd') ?? ''))
          throw new RowFault('StmtPgntn', 'one page of several: a statement must come whole');
        return undefined;
      case 'Acct':
        this.accountRef = this.keyOf(element);
        return undefined;
      case 'Bal':
        return this.takeBalance(element);
      case 'TxsSummry':
        this.summary = element;
        return undefined;
      case 'Ntry':
        return this.takeEntry(element);
      default:
        return undefined;
    }
  }

  /** Opening balance and booked entries make the closing balance, and the summary counts the entries, where they are stated. */
  check(): void {
    const [opening, closing] = [this.balances.get('OPBD') ?? this.balances.get('PRCD'), this.balances.get('CLBD')];
    if (opening !== undefined && closing !== undefined) {
      const moved = [...this.booked.keys()].some((currency) => currency !== opening.currency);
      if (moved || closing.currency !== opening.currency)
        throw new RowFault('Ntry.Amt', 'in another currency than the balances');
      if (opening.minorUnits + (this.booked.get(opening.currency) ?? 0n) !== closing.minorUnits)
        throw new RowFault('Bal', 'the booked entries do not lead from the opening to the closing balance');
    }
    const [count, sum] = ['NbOfNtries', 'Sum'].map(
      (name) => this.summary && childText(this.summary, 'TtlNtries', name),
    );
    if (count !== undefined && Number(count) !== this.entries)
      throw new RowFault('TxsSummry.TtlNtries.NbOfNtries', 'not the number of the entries');
    if (sum !== undefined && !sameDecimal(sum, this.absolute))
      throw new RowFault('TxsSummry.TtlNtries.Sum', 'not the sum of the entries');
  }

  /** The sum of all entries without their signs, in ten-thousandths. */
  private absolute = 0n;

  private keyOf(account: XmlElement): string {
    const key =
      this.form.accountBy === 'iban' ? childText(account, 'Id', 'IBAN') : childText(account, 'Id', 'Othr', 'Id');
    if (key === undefined)
      throw new RowFault(this.form.accountBy === 'iban' ? 'Acct.Id.IBAN' : 'Acct.Id.Othr.Id', 'missing');
    return key;
  }

  private takeBalance(element: XmlElement): CoreBalance | undefined {
    const { code, amount, balance } = balanceOf(element, this.timeZone);
    this.balances.set(code, amount);
    return balance;
  }

  private takeEntry(element: XmlElement): CoreTransaction | undefined {
    this.entries++;
    const { minorUnits, currency } = signedOf(element, 'Ntry');
    const magnitude = minorUnits < 0n ? -minorUnits : minorUnits;
    this.absolute += magnitude * 10n ** BigInt(4 - (minorUnitDigits(currency) ?? 0));
    const record = transactionOf(element, this.timeZone);
    if (record === undefined) return undefined;
    if (record.status === 'booked') this.booked.set(currency, (this.booked.get(currency) ?? 0n) + minorUnits);
    return record;
  }
}

function sameDecimal(text: string, tenThousandths: bigint): boolean {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d{1,4}))?0*$/.exec(text) ?? [];
  return whole !== undefined && BigInt(whole + fraction.padEnd(4, '0')) === tenThousandths;
}
