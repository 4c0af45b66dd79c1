// Nightly: it proves an example, and compiles it several times.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { type SandboxBank, startSandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { clausesOf } from '../../packages/adapter-kit/adapter-kit.js';
import { adapterProgram } from '../../adapter-tools/program.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { compilerOf, runNode, temporaryTree, toolOf } from './temporary-tree.js';

const document = (name: string): string => readFileSync(join(packageRoot(), 'docs', 'bank', name), 'utf8');
const [outside = '', inside = ''] = document('walks/http.md').split("## Or in the gateway's repository");
/** The words after `npm run adapter --` of each command. */
const commandsIn = (text: string): string[][] =>
  [...text.matchAll(/^npm run --silent adapter -- (.+)$/gm)].map(([, words = '']) => words.split(' '));

describe('the pages on adding a core', () => {
  it('show every command', () => {
    expect(commandsIn(outside).map(([name]) => name)).toEqual(['new', 'preview']);
    expect(commandsIn(inside).map(([name]) => name)).toEqual(['new', 'check']);
  });

  it('list every command of the tools', () => {
    const [, rows = ''] = document('adding-a-core.md').split('## The tools');
    const listed = [...rows.matchAll(/`(new|[a-z-]+)(?: (?:NAME|FOLDER)[^`]*)?`/g)].map(([, name]) => name);
    const none = () => Promise.resolve();
    const actions = { new: none, newSignOn: none, check: none, preview: none };
    const known = adapterProgram(actions).commands.map((command) => command.name());
    expect(known.filter((name) => name !== 'new-sign-on' && !listed.includes(name))).toEqual([]);
  });
});

describe('in a fresh copy of the project, the commands of the walk, one after the other,', () => {
  let tree: Awaited<ReturnType<typeof temporaryTree>>;
  let bank: SandboxBank;
  const run = (name: string) =>
    runNode(tree.root, toolOf(...(commandsIn(inside).find(([command]) => command === name) ?? [])));
  /** A command that the walk shows for an adapter outside, with the ledger in its place. */
  const runOnLedger = (...words: string[]) => runNode(tree.root, toolOf(...words), { CORE_URL: bank.coreUrl });

  let made: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    tree = await temporaryTree();
    bank = await startSandboxBank({ port: 0, credential: 'staff', issuerKeys: await makeIssuerKeys() });
    made = await run('new');
  });
  afterAll(async () => {
    await bank.close();
    await tree.remove();
  });

  it('new: writes an adapter, a kit and a line in the registry that compile', async () => {
    expect([made.code, made.said]).toEqual([0, expect.stringContaining('Now: npm run adapter -- check my-core')]);
    expect(readdirSync(join(tree.root, 'src/core-banking/adapters/my-core'))).toEqual([
      'my-core.adapter.ts',
      'my-core.client.ts',
      'my-core.records.ts',
    ]);
    expect(readdirSync(join(tree.root, 'test/cores/my-core'))).toEqual(['my-core.kit.spec.ts', 'my-core.kit.ts']);
    writeFileSync(
      join(tree.root, 'tsconfig.new.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: [],
        files: ['src/core-banking/adapters/registry.ts', 'test/cores/my-core/my-core.kit.spec.ts'],
      }),
    );
    expect(await runNode(tree.root, compilerOf('tsconfig.new.json'))).toEqual({ code: 0, said: '' });
  });

  it('check: fails, and says clause by clause what is missing', async () => {
    const { code, said } = await run('check');
    expect(code).toBe(1);
    expect(said).toContain('✗ CORE-02');
    expect(said).toContain('balances is not served: `missing` has to say why');
    expect(said).toContain('the kit has no customers: list some in `personas`');
    expect(said).toMatch(/adapter: my-core does not keep \d\d clauses\n$/);
    expect(said).not.toMatch(/\n {4}at /);
    // Nothing is blank: each clause is kept or says why not.
    expect(said.match(/^[✓✗–] CORE-\d\d/gm)).toHaveLength(clausesOf('http').length);
  });

  it('new: does not overwrite files that exist', async () => {
    const { code, said } = await run('new');
    expect([code, said]).toEqual([1, 'adapter: src/core-banking/adapters/my-core exists already\n']);
  });

  it('preview: shows each record of the core, the adapter’s record and the resource', async () => {
    const { code, said } = await runOnLedger('preview', 'ledger', '--customer', 'C1001', '--account', 'A100103');
    expect(code).toBe(0);
    const [core, record, resource] = said.split(/^balances of account A100103, row 1 of 2: .*$/m).slice(1);
    expect(core).toMatch(/^ {2}fig = "LEDGER"$/m);
    expect(record).toMatch(/^ {2}kind = "booked"$/m);
    expect(resource).toMatch(/^ {2}Type = "ClosingBooked"$/m);
  });
});
