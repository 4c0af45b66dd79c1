import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';
import { loadProfile } from './load-profile.js';
import { profile as profileFineract } from './profile-fineract.js';

const { endpoints: _, ...data } = profileFineract;
const refusedFile = (fault: string): string => ` cannot be used, fix its file: ${fault}`;

describe('a profile in a file of the bank’s own', () => {
  let folder: string;
  let path: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profile-'));
    path = join(folder, 'profile.json');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const load = async (content: unknown) => {
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return loadProfile(path);
  };

  it('is served like a profile that comes with the gateway', async () => {
    expect({ ...(await load({ ...data, name: 'my-bank' })) }).toEqual({ ...profileFineract, name: 'my-bank' });
  });

  it('has the form that docs/bank/product-profile.md shows', async () => {
    const page = await readFile(new URL('../../docs/bank/product-profile.md', import.meta.url), 'utf8');
    const [, shown = ''] = /```json\n(.+?)```/s.exec(page) ?? [];
    expect(await load(shown)).toMatchObject({
      name: 'my-bank',
      refusedPermissions: expect.arrayContaining(['ReadPAN']),
    });
  });

  it.each<[string, unknown]>([
    [' is not valid JSON', '{'],
    [refusedFile('it must hold a JSON object'), []],
    [refusedFile('it must hold a JSON object'), 'null'],
    [refusedFile('endpoints is not a setting'), { ...data, endpoints: { accounts: ['Savings'] } }],
    [refusedFile('products must be an object'), { ...data, products: undefined }],
    [refusedFile('refusedPermissions must be a list'), { ...data, refusedPermissions: 'ReadPAN' }],
    [refusedFile('name must be 1 to 64 letters, digits, dots, dashes and underscores'), { ...data, name: 'my bank' }],
    [
      refusedFile('products.Loan.kind must be one of the following values: charge-card, credit-card, ') +
        'current-account, e-money, loan, mortgage, prepaid-card, savings; products.Loan.credit must be an object; ' +
        'products.Prepaid must be an object',
      { ...data, products: { ...data.products, Loan: { endpoints: [], credit: null }, Prepaid: 5 } },
    ],
    [refusedFile('amounts must be one of the following values: magnitude, signed'), { ...data, amounts: undefined }],
  ])('is refused in one line, PROFILE …%s', async (fault, content) => {
    await expect(load(content)).rejects.toThrow(new BootError(`PROFILE ${path}${fault}`));
  });

  it('is refused where the file does not exist', async () => {
    const absent = join(folder, 'absent.json');
    await expect(loadProfile(absent)).rejects.toThrow(new BootError(`PROFILE ${absent} is not a readable file`));
  });
});
