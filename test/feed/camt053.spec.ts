import { describe, expect, it } from '@jest/globals';
import { accounts, context, feedFile, type Files, manifest, SmallFeed, statementParts } from './small-feed.js';

const bal = (code: string, amount: string, side = 'CRDT', more = ''): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${more}<Amt Ccy="GBP">${amount}</Amt>` +
  `<CdtDbtInd>${side}</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`;

const entry = (id: string, amount: string, side: string, more = '', status = 'BOOK'): string =>
  `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts><Cd>${status}</Cd></Sts>` +
  `<BookgDt><DtTm>2026-11-20T09:00:00+00:00</DtTm></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt><AcctSvcrRef>${id}</AcctSvcrRef>${more}</Ntry>`;

const details =
  '<NtryDtls><TxDtls><AmtDtls><InstdAmt><Amt Ccy="EUR">11.70</Amt><CcyXchg><SrcCcy>EUR</SrcCcy><XchgRate>1.17</XchgRate></CcyXchg></InstdAmt></AmtDtls>' +
  '<RmtInf><Ustrd>CAFÉ &amp; BAR</Ustrd><Ustrd>PARIS</Ustrd></RmtInf><RltdDts><TxDtTm>2026-11-19T22:30:00.250Z</TxDtTm></RltdDts></TxDtls></NtryDtls>';

const statement = (iban: string, ...content: readonly string[]): string =>
  `<Stmt><Id>S</Id><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${content.join('')}</Stmt>`;

const document = (...statements: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>\n${statements.join('\n')}\n</BkToCstmrStmt></Document>\n`;

const first = [
  bal('OPBD', '100.00'),
  bal('CLBD', '92.50'),
  bal('CLAV', '592.50', 'CRDT', '<CdtLine><Incl>true</Incl><Amt Ccy="GBP">500.00</Amt></CdtLine>'),
  '<TxsSummry><TtlNtries><NbOfNtries>3</NbOfNtries><Sum>22.5</Sum></TtlNtries></TxsSummry>',
  entry('e1', '10.00', 'DBIT', details),
  entry('e2', '2.50', 'CRDT', '<RvslInd>true</RvslInd><AddtlNtryInf>REVERSAL</AddtlNtryInf>'),
  entry('e3', '10.00', 'DBIT', details, 'PDNG'),
];
const second = [bal('CLBD', '5.00', 'DBIT')];
const ibans = ['GB33BUKB20201555555555', 'GB94BARC10201530093459'] as const;
const right = document(statement(ibans[0], ...first), statement(ibans[1], ...second));
const files = (xml: string, rows = 4): Files => ({
  'accounts.csv': accounts.replace('A2,GBP,', `A2,GBP,${ibans[1]}`),
  'statements.xml': xml,
  'delivery.yaml': manifest({
    balances: `{ file: statements.xml, rows: ${rows} }`,
    transactions: '{ file: statements.xml, rows: 3, sum: "-17.50" }',
  }),
});

const loaded = async (): Promise<SmallFeed> => {
  const feed = new SmallFeed(feedFile(statementParts));
  expect(await feed.load(files(right))).toMatchObject({ taken: true, rows: { balances: 4, transactions: 3 } });
  return feed;
};

describe('a file of camt.053 statements', () => {
  it('gives the entries with their signs, times, texts and exchange', async () => {
    const adapter = await (await loaded()).adapter();
    const { items } = await adapter.transactions('A1', { read: 'older', limit: 10 }, context('C1'));
    const pounds = (minorUnits: bigint) => ({ minorUnits, currency: 'GBP' });
    const made = {
      madeAt: new Date('2026-11-19T22:30:00.250Z'),
      valueAt: { date: '2026-11-21' },
      description: 'CAFÉ & BAR PARIS',
      exchange: { sourceCurrency: 'EUR', rate: '1.17' },
    };
    expect(items).toEqual([
      {
        id: 'e2',
        status: 'booked',
        at: new Date('2026-11-20T09:00:00Z'),
        amount: pounds(250n),
        valueAt: { date: '2026-11-21' },
        description: 'REVERSAL',
      },
      { id: 'e1', status: 'booked', at: new Date('2026-11-20T09:00:00Z'), amount: pounds(-1000n), ...made },
      { id: 'e3', status: 'pending', at: made.madeAt, amount: pounds(-1000n), ...made },
    ]);
    await adapter.close();
  });

  it('gives the closing balances of each statement, the available one without the overdraft', async () => {
    const adapter = await (await loaded()).adapter();
    const at = { date: '2026-11-20' };
    const pounds = (minorUnits: bigint) => ({ minorUnits, currency: 'GBP' });
    expect((await adapter.balances('A1', context('C1'))).items).toEqual([
      { kind: 'available', amount: pounds(9250n), at, creditLimit: pounds(50000n) },
      { kind: 'booked', amount: pounds(9250n), at },
    ]);
    expect((await adapter.balances('A2', context('C2'))).items).toEqual([
      { kind: 'booked', amount: pounds(-500n), at },
    ]);
    await adapter.close();
  });

  it.each<[string, string, string]>([
    [
      'entries that do not lead from the opening to the closing balance',
      right.replace('>92.50<', '>92.51<'),
      'Bal: the booked entries do not lead from the opening to the closing balance',
    ],
    [
      'another number of entries than its summary',
      right.replace('<NbOfNtries>3', '<NbOfNtries>4'),
      'TxsSummry.TtlNtries.NbOfNtries: not the number of the entries',
    ],
    [
      'another sum than its summary',
      right.replace('<Sum>22.5', '<Sum>22.6'),
      'TxsSummry.TtlNtries.Sum: not the sum of the entries',
    ],
    [
      'an entry without a direction',
      right.replace('<CdtDbtInd>DBIT</CdtDbtInd><Sts>', '<Sts>'),
      'CdtDbtInd: not a known word',
    ],
    ['an entry without an id', right.replace('<AcctSvcrRef>e1</AcctSvcrRef>', ''), 'Ntry.AcctSvcrRef: missing'],
    [
      'an amount finer than its currency',
      right.replace('>10.00<', '>10.001<'),
      'Ntry.Amt: finer than the minor unit of its currency',
    ],
    [
      'one page of several',
      right.replace('<Acct>', '<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn><Acct>'),
      'StmtPgntn: one page of several: a statement must come whole',
    ],
    ['another document', right.replace('camt.053.001.08', 'camt.054.001.08'), 'is no document of ISO 20022 camt.053'],
    ['XML that breaks off', right.slice(0, -30), 'no well-formed XML'],
    [
      'a document type with entities',
      right.replace('<Document', '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document'),
      'has a document type, which no statement has',
    ],
    ['an entity that is not XML’s', right.replace('CAFÉ &amp;', 'CAFÉ &secret;'), 'no well-formed XML'],
    ['a text without end', right.replace('PARIS', 'P'.repeat(100_001)), 'has a text that is too long'],
    [
      'elements without end inside each other',
      right.replace('<GrpHdr>', '<GrpHdr>' + '<a>'.repeat(41)),
      'has elements too deep inside each other',
    ],
    [
      'an entry of countless elements',
      right.replace('<RmtInf>', `<RmtInf>${'<a/>'.repeat(20_000)}`),
      'has an entry of too many elements',
    ],
  ])('is refused for %s', async (_, xml, fault) => {
    const feed = new SmallFeed(feedFile(statementParts));
    const [reason, message, ...faults] = await feed.refusal(files(xml));
    expect([reason, message, faults[0]]).toEqual([
      'broken',
      'records cannot be read',
      expect.stringMatching(/^statements\.xml, line \d+: /),
    ]);
    expect(faults[0]?.replace(/^statements\.xml, line \d+: /, '')).toBe(fault);
    expect(faults.join()).not.toContain('CAF');
  });
});
