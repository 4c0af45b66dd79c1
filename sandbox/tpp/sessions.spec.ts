import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, Sessions } from './sessions.js';

const connection: Connection = {
  access: { consentId: 'c-1', accessToken: 'a', refreshToken: 'r', expiresAtMs: 2, authenticatedAtMs: 1 },
  api: 'v4.0',
  permissions: ['ReadAccountsDetail'],
};

describe('the connections of the sandbox’s TPP', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tpp-sessions-'));
    file = join(folder, 'connections.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('of each browser are there again after a restart, without the browsers that had none', async () => {
    const before = await Sessions.open(file);
    const [one, other, none] = [before.open(), before.open(), before.open()];
    one.connection = connection;
    one.accountNames.set('id', 'Everyday');
    other.connection = { ...connection, permissions: [] };
    other.notice = { words: 'You are connected.' };
    await before.save();
    const after = await Sessions.open(file);
    expect(after.find(one.id)).toEqual(one);
    expect(after.find(other.id)).toEqual({ ...other, notice: undefined });
    expect(after.find(none.id)).toBeUndefined();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['connections.json']);
  });

  it('stay ended after a restart when the customer disconnected', async () => {
    const before = await Sessions.open(file);
    const session = before.open();
    session.connection = connection;
    const first = before.save();
    delete session.connection;
    await Promise.all([first, before.save()]);
    expect((await Sessions.open(file)).find(session.id)).toBeUndefined();
  });

  it('that cannot be read are named, with the remedy', async () => {
    await writeFile(file, '{');
    await expect(Sessions.open(file)).rejects.toThrow(/connections\.json cannot be read as connections: remove it/);
  });
});
