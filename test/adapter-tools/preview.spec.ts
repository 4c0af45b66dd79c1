import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { preview, type PreviewOptions } from '../../adapter-tools/preview.js';
import { versions } from '../../src/versions/versions.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { type Row, RowFault, translateRows } from '../../packages/core-adapter/core-rows.js';
import type { CoreAccount, CoreBalance, CoreDirectDebit } from '../../packages/core-adapter/core.records.js';
import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import { profile } from '../../src/profiles/profile-2.js';

/** One answer with everything of a customer: the balances are its shortest list. */
const everything = {
  accounts: [{ id: 'A1' }, { id: 'A2' }],
  mandates: [
    { id: 'M1', taker: 'Energy' },
    { id: 'M2', taker: 'Gym' },
    { id: 'M3', taker: 'Water' },
    { id: 'M4', taker: '' },
  ],
  sums: [{ owner: 'A2', pence: 1234 }],
};

/** Reads that answer, and knows no other. */
function createAdapter({ url }: CoreSettings): Promise<CoreAdapter> {
  const ask = async (): Promise<typeof everything> => (await (await fetch(url)).json()) as typeof everything;
  const account = (ref: string): CoreAccount => ({
    ref,
    product: 'CurrentAccount',
    currency: 'GBP',
    permitted: true,
    holder: 'personal',
  });
  const text = (value: unknown): string => {
    if (typeof value !== 'string') throw new RangeError('no text');
    return value;
  };
  const adapter: Partial<CoreAdapter> = {
    name: 'whole',
    pending: 'none',
    missing: { offers: 'the core has no offers' },
    accounts: async () => ({ items: (await ask()).accounts.map(({ id }) => account(text(id))), bad: [] }),
    account: async (ref) => {
      await ask();
      return account(ref);
    },
    directDebits: async (ref) => {
      const toMandate = (row: Row): CoreDirectDebit | undefined => {
        if (row.taker === '') throw new RowFault('taker', 'is empty');
        return typeof row.taker === 'string'
          ? { id: String(row.id), mandate: 'M', status: 'active', name: row.taker }
          : undefined;
      };
      return { account: account(ref), ...translateRows('mandates', (await ask()).mandates, toMandate) };
    },
    balances: async (ref) => {
      const at = new Date('2026-11-20T12:00:00Z');
      const toBalance = (row: Row): CoreBalance | undefined =>
        row.owner === ref && typeof row.pence === 'number'
          ? { kind: 'booked', at, amount: { minorUnits: BigInt(row.pence), currency: 'GBP' } }
          : undefined;
      return { account: account(ref), ...translateRows('sums', (await ask()).sums, toBalance) };
    },
    close: () => Promise.resolve(),
  };
  return Promise.resolve(adapter as CoreAdapter);
}

describe('preview', () => {
  let server: Server;
  let settings: CoreSettings;
  beforeAll(async () => {
    server = createServer((_, answer) => {
      answer
        .writeHead(200, { 'content-type': 'application/json', connection: 'close' })
        .end(JSON.stringify(everything));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    settings = { url, connections: 1, variables: { CORE_URL: url } };
  });
  afterAll(() => void server.close());

  const textsOf = async (wanted: Partial<PreviewOptions>) => {
    const texts: string[] = [];
    const options = { customerRef: 'C1', rows: 3, profile, version: versions[0], ...wanted };
    for await (const text of preview(createAdapter, settings, options)) texts.push(text);
    return texts;
  };

  it('shows each read of the adapter once', async () => {
    const texts = await textsOf({});
    expect(texts.map((text) => text.split('\n')[0])).toEqual([
      'account of account A1, row 1 of 1: the record of the adapter',
      "balances of account A2, row 1 of 1: the core's row",
      "directDebits of account A1, row 1 of 4: the core's row",
    ]);
  });

  it('says that no account has a record of a read', async () => {
    expect(await textsOf({ read: 'balances', accountRef: 'A1' })).toEqual([
      'balances: no account has a record of it that becomes a resource',
    ]);
  });

  it('says why the adapter lacks a read', async () => {
    await expect(textsOf({ read: 'offers' })).rejects.toThrow('the adapter has no read offers: the core has no offers');
  });

  it('shows the core’s rows of the wanted read one by one, with their records and resources', async () => {
    const [text = '', ...others] = await textsOf({ read: 'balances' });
    expect(others).toEqual([]);
    const [row, record, resource] = text.split(/^balances of account A2, row 1 of 1: .*$/m).slice(1);
    expect(row).toMatch(/^ {2}pence = 1234$/m);
    expect(record).toMatch(/^ {2}amount.minorUnits = 1234$/m);
    expect(resource).toMatch(/^ {2}Amount.Amount = "12.34"$/m);
  });

  it('shows the resource in the version that is wanted', async () => {
    const codes = await Promise.all(versions.map((version) => textsOf({ read: 'balances', version })));
    expect(codes.flat().map((text) => /^ {2}Type = "(.+)"$/m.exec(text)?.[1])).toEqual(['InterimBooked', 'ITBD']);
  });

  it('shows why a row becomes no record, and how many rows it omits', async () => {
    const [some = ''] = await textsOf({ read: 'directDebits' });
    expect(some).toMatch(/^1 more: --rows 4 shows them$/m);
    const [all = ''] = await textsOf({ read: 'directDebits', rows: 4 });
    expect(all).toMatch(
      /, row 4 of 4: the core's row\n {2}id = "M4"\n.*\n.*row 4 of 4: no record, because taker: is empty$/,
    );
  });
});
