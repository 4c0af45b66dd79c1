// Nightly: it tests a tool for banks, in a copy of the project that it compiles.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signOnClauses } from '../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { compilerOf, runNode, temporaryTree, toolOf } from './temporary-tree.js';

const guide = readFileSync(join(packageRoot(), 'docs/bank/walks/sign-on.md'), 'utf8');
const commands = [...guide.matchAll(/^npm run --silent adapter -- (.+)$/gm)].map(([, words = '']) => words.split(' '));

describe('in a fresh copy of the project, new-sign-on', () => {
  let tree: Awaited<ReturnType<typeof temporaryTree>>;
  let made: Awaited<ReturnType<typeof runNode>>;
  beforeAll(async () => {
    tree = await temporaryTree();
    made = await run();
  });
  afterAll(() => tree.remove());
  /** The guide's command that begins so, and is about the adapter in this repository. */
  const run = (name = 'new-sign-on') =>
    runNode(
      tree.root,
      toolOf(...(commands.find(([one, ...words]) => one === name && !words.join().includes('..')) ?? [])),
    );

  it('writes an adapter, a kit and a line in the registry that compile', async () => {
    expect(made).toEqual({ code: 0, said: expect.stringContaining('Now: npm run adapter -- check my-sign-on') });
    expect(readdirSync(join(tree.root, 'test/sign-ons/my-sign-on'))).toEqual([
      'my-sign-on.kit.spec.ts',
      'my-sign-on.kit.ts',
    ]);
    expect(existsSync(join(tree.root, 'src/customer-authentication/adapters/my-sign-on/my-sign-on.adapter.ts'))).toBe(
      true,
    );
    const files = [
      'src/customer-authentication/adapters/registry.ts',
      'test/sign-ons/my-sign-on/my-sign-on.kit.spec.ts',
    ];
    const settings = { extends: './tsconfig.json', include: [], files };
    writeFileSync(join(tree.root, 'tsconfig.new.json'), JSON.stringify(settings));
    expect(await runNode(tree.root, compilerOf('tsconfig.new.json'))).toEqual({ code: 0, said: '' });
  });

  it('check checks it clause by clause, and says why it cannot', async () => {
    const { code, said } = await run('check');
    expect(code).toBe(1);
    expect(said.match(/^[✓✗–] SIGN-\d\d/gm)).toHaveLength(signOnClauses.length);
    expect(said).toMatch(/^✓ SIGN-01/m);
    expect(said).toContain('the bank’s sign-on is unreachable at 127.0.0.1:9');
    expect(said).toMatch(/adapter: my-sign-on does not keep \d\d clauses\n$/);
    expect(said).not.toMatch(/\n {4}at /);
  });

  it('does not overwrite files that exist', async () => {
    expect(await run()).toEqual({
      code: 1,
      said: 'adapter: src/customer-authentication/adapters/my-sign-on exists already\n',
    });
  });
});
