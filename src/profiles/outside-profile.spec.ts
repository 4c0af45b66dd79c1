import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';
import { loadProfile } from './load-profile.js';
import { profile as profileFineract } from './profile-fineract.js';

const refusedFile = (fault: string): string => ` cannot be used, mend its file: ${fault}`;

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
    expect({ ...(await load({ ...profileFineract, name: 'my-bank' })) }).toEqual({
      ...profileFineract,
      name: 'my-bank',
    });
  });

  it('has the form that the guide for adapters shows', async () => {
    const guide = await readFile(new URL('../../docs/adding-a-core.md', import.meta.url), 'utf8');
    const [, shown = ''] = /```json\n(.+?)```/s.exec(guide) ?? [];
    expect(await load(shown)).toMatchObject({
      name: 'my-bank',
      refusedPermissions: expect.arrayContaining(['ReadPAN']),
    });
  });

  it.each<[string, unknown]>([
    [' is not valid JSON', '{'],
    [refusedFile('it must hold a JSON object'), []],
    [refusedFile('it must hold a JSON object'), 'null'],
    [refusedFile('offers is not a setting'), { ...profileFineract, offers: ['CreditCard'] }],
    [refusedFile('endpoints must be an object'), { ...profileFineract, endpoints: undefined }],
    [refusedFile('refusedPermissions must be an array'), { ...profileFineract, refusedPermissions: 'ReadPAN' }],
    [
      refusedFile('name must be 1 to 64 letters, digits, dots, dashes and underscores'),
      { ...profileFineract, name: 'my bank' },
    ],
    [
      refusedFile('offers: lists no product; leave an absent endpoint out'),
      { ...profileFineract, endpoints: { ...profileFineract.endpoints, offers: null } },
    ],
    [
      refusedFile('party: unknown product "5"'),
      { ...profileFineract, endpoints: { ...profileFineract.endpoints, party: [5] } },
    ],
    [refusedFile('refusedPermissions: unknown code "7"'), { ...profileFineract, refusedPermissions: [7] }],
    [refusedFile('amounts: must be magnitude or signed'), { ...profileFineract, amounts: undefined }],
    [refusedFile('pendingFields: must be empty or expected'), { ...profileFineract, pendingFields: 'x' }],
  ])('is refused in one line, PROFILE …%s', async (fault, content) => {
    await expect(load(content)).rejects.toThrow(new BootError(`PROFILE ${path}${fault}`));
  });

  it('is refused where the file does not exist', async () => {
    const absent = join(folder, 'absent.json');
    await expect(loadProfile(absent)).rejects.toThrow(new BootError(`PROFILE ${absent} is not a readable file`));
  });
});
