import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openGatewayDatabase } from '../../src/boot/gateway-database.js';
import { BootError } from '../../src/config/boot-error.js';
import { dataKeysOf, readDataKeys } from '../../src/config/data-keys.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { refuseOtherKeys } from '../../src/security/known-keys.store.js';
import { FakeClock } from '../support/fake-clock.js';
import { administer, freshDatabase, freshRoles, postgresUrl, type FreshDatabase } from '../support/fresh-database.js';
import { opsCommand } from '../support/ops-command.js';
import { noon } from '../support/stack.js';

const key = (name: string): string => `${name}-0123456789abcdef0123456789abcdef`;

interface Keys {
  readonly id?: string;
  readonly trail?: string;
  readonly pseudonym?: string;
  readonly before?: readonly string[];
}

describe('A database', () => {
  let database: FreshDatabase;
  let prisma: PrismaService;
  let clock: FakeClock;
  beforeAll(async () => {
    database = await freshDatabase();
    prisma = await PrismaService.open(database.config);
  });
  afterAll(async () => {
    await prisma.onApplicationShutdown();
    await database.drop();
  });
  beforeEach(async () => {
    clock = new FakeClock(noon);
    await prisma.knownKey.deleteMany();
  });

  const settings = ({ id = 'id', trail = 'trail', pseudonym = 'first', before = [] }: Keys) => ({
    database: database.config,
    idKey: key(id),
    trail: { directory: '', fault: 'count' as const, key: key(trail), pseudonymKeys: [pseudonym, ...before].map(key) },
  });
  /** `started`, or the refusal of the start. */
  async function start(keys: Keys = {}): Promise<string> {
    clock.advance(1_000);
    return refuseOtherKeys(prisma, dataKeysOf(settings(keys)), new Date(clock.nowMs())).then(
      () => 'started',
      refusalOf,
    );
  }
  function refusalOf(error: unknown): string {
    expect(error).toBeInstanceOf(BootError);
    return (error as BootError).message;
  }
  async function accept(setting: string, keys: Keys): Promise<readonly [number, string]> {
    const { idKey, trail } = settings(keys);
    const variables = { ID_KEY: idKey, TRAIL_KEY: trail.key, PSEUDONYM_KEY: trail.pseudonymKeys.join(',') };
    const { code, text, told } = await opsCommand(['accept-key', setting], {
      dataKeys: (name) => readDataKeys(name, variables),
      // The command closes the database that it opened; the test's own stays open.
      openDatabase: async () => Object.create(prisma, { onApplicationShutdown: { value: async () => undefined } }),
      clock,
    });
    return [code, text + told.join('\n')];
  }
  it('starts a gateway again with the same keys, and keeps nothing that discloses one', async () => {
    expect([await start(), await start()]).toEqual(['started', 'started']);
    const rows = await prisma.knownKey.findMany({ orderBy: { setting: 'asc' } });
    expect(rows).toMatchObject([{ setting: 'ID_KEY' }, { setting: 'PSEUDONYM_KEY' }, { setting: 'TRAIL_KEY' }]);
    for (const { fingerprint } of rows) expect(fingerprint).toMatch(/^[\w-]{43}$/);
  });

  it.each<[string, Keys, RegExp]>([
    [
      'ID_KEY',
      { id: 'other' },
      /^ID_KEY is not the key .* `npm run ops -- accept-key ID_KEY` \(docs\/operate\/keys-and-certificates.md, /,
    ],
    ['TRAIL_KEY', { trail: 'other' }, /^TRAIL_KEY is not the key .* `npm run ops -- accept-key TRAIL_KEY` \(/],
    ['PSEUDONYM_KEY', { pseudonym: 'other' }, /^PSEUDONYM_KEY lacks .* `npm run ops -- accept-key PSEUDONYM_KEY` \(/],
  ])('refuses, in a sentence, another %s, until an operator accepts it', async (setting, keys, refusal) => {
    await start();
    const message = await start(keys);
    expect(message).toMatch(refusal);
    expect(message.split('\n')).toHaveLength(1);
    expect(message).not.toContain('0123456789abcdef');
    // A refused start has not made the key known.
    expect(await start(keys)).toBe(message);
    expect(await start()).toBe('started');
    expect(await accept(setting, keys)).toEqual([0, expect.stringContaining(`start with this ${setting} from now on`)]);
    expect(await start(keys)).toBe('started');
  });

  it('names each setting whose key is another', async () => {
    await start();
    const message = await start({ id: 'other', trail: 'other', pseudonym: 'other' });
    expect([...message.matchAll(/ops -- accept-key (\w+)/g)].map(([, setting]) => setting)).toEqual([
      'ID_KEY',
      'PSEUDONYM_KEY',
      'TRAIL_KEY',
    ]);
  });

  it('forgets the previous ID_KEY once another is accepted', async () => {
    await start();
    expect((await accept('ID_KEY', { id: 'other' }))[1]).toContain(
      '1 that the setting lacks were removed from the database',
    );
    expect(await start()).toMatch(/^ID_KEY is not the key/);
  });

  it('knows both keys of the trail, so that gateways change one by one', async () => {
    await start();
    await accept('TRAIL_KEY', { trail: 'other' });
    expect([await start(), await start({ trail: 'other' }), await start()]).toEqual(['started', 'started', 'started']);
  });

  it('asks for each former key of pseudonyms until an operator says that none of its events is left', async () => {
    await start();
    const changed = { pseudonym: 'second', before: ['first'] };
    expect(await start(changed)).toBe('started');
    // Another gateway, whose settings are not changed yet.
    expect(await start()).toBe('started');
    expect(await start({ pseudonym: 'second' })).toMatch(/^PSEUDONYM_KEY lacks/);
    expect(await start({ pseudonym: 'third', before: ['second'] })).toMatch(/^PSEUDONYM_KEY lacks/);
    expect(await start({ pseudonym: 'third', before: ['second', 'first'] })).toBe('started');
    expect(await accept('PSEUDONYM_KEY', { pseudonym: 'third', before: ['second'] })).toEqual([
      0,
      'gateways start with this PSEUDONYM_KEY from now on; 1 that the setting lacks were removed from the database',
    ]);
    expect(await start({ pseudonym: 'third', before: ['second'] })).toBe('started');
  });

  it('lets one of two first starts with different keys win', async () => {
    // The embedded database serves one process.
    const other = postgresUrl === undefined ? prisma : await PrismaService.open(database.config);
    const starts = ['one', 'two'].flatMap((id) =>
      [prisma, other].map((at) => refuseOtherKeys(at, dataKeysOf(settings({ id })), new Date(noon))),
    );
    const outcomes = (await Promise.allSettled(starts)).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(2);
    expect([outcomes[0], outcomes[2]]).toEqual([outcomes[1], outcomes[3]]);
    expect(await prisma.knownKey.count({ where: { setting: 'ID_KEY' } })).toBe(1);
    if (other !== prisma) await other.onApplicationShutdown();
  });

  it('that a start has refused is closed, so that the next start can open it', async () => {
    const { config, drop } = await freshDatabase();
    const open = (keys: Keys) => openGatewayDatabase({ ...settings(keys), database: config }, clock);
    await (await open({})).onApplicationShutdown();
    expect(await open({ id: 'other' }).catch(refusalOf)).toMatch(/^ID_KEY is not the key/);
    await (await open({})).onApplicationShutdown();
    await drop();
  });

  it.each(['accept-key', 'accept-key TLS_KEY', 'accept-key ID_KEY TRAIL_KEY'])(
    'is not changed by `%s`',
    async (words) => {
      const { code, text, told } = await opsCommand(words.split(' '));
      expect([code, text]).toEqual([2, '']);
      expect(told).toEqual([
        expect.stringMatching(
          /SETTING.*see: npm run ops -- accept-key --help$|^too many arguments.* accept-key --help$/,
        ),
      ]);
    },
  );

  it('is not opened by a command that lacks the key', async () => {
    for (const setting of ['ID_KEY', 'TRAIL_KEY', 'PSEUDONYM_KEY'])
      expect(await opsCommand(['accept-key', setting], { dataKeys: (name) => readDataKeys(name, {}) })).toMatchObject({
        code: 1,
        told: [expect.stringMatching(/^\w+ is not set: it must be /)],
      });
  });

  (postgresUrl === undefined ? it.skip : it)(
    'refuses a gateway whose role may not see the keys, and names the script to run',
    async () => {
      const roles = await freshRoles(postgresUrl!);
      try {
        await administer(roles.owner.url, `REVOKE ALL ON "${roles.name}".known_keys FROM ${roles.name}_serving`);
        const opened = openGatewayDatabase({ ...settings({}), database: roles.serving }, clock);
        await expect(opened).rejects.toThrow(BootError);
        await expect(opened).rejects.toThrow(
          'The database did not answer which keys its data belong to (42501): run deploy/postgresql/roles.sql as the owner',
        );
      } finally {
        await roles.drop();
      }
    },
  );
});
