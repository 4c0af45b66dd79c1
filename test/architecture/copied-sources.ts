import { readFileSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { transform } from '@swc/core';
import { packageRoot } from '../../src/persistence/package-root.js';
import { compilerOf, runNode } from '../adapter-tools/temporary-tree.js';

const sources = ['src', 'packages', 'prisma/client', 'adapter-tools'];
const decorators = {
  target: 'es2022',
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true },
} as const;

/** A copy of the gateway's sources, without their tests. A test changes it, type-checks it and runs it. */
export class CopiedSources {
  private constructor(readonly root: string) {}

  static async make(): Promise<CopiedSources> {
    const original = packageRoot();
    const root = await mkdtemp(join(tmpdir(), 'copied-sources-'));
    const filter = (path: string): boolean => !path.endsWith('.spec.ts');
    for (const path of [...sources, 'prisma/migrations', 'package.json', 'tsconfig.json'])
      await cp(join(original, path), join(root, path), { recursive: true, filter });
    await symlink(join(original, 'node_modules'), join(root, 'node_modules'));
    return new CopiedSources(root);
  }

  /** Applies the change, and names the files that differ afterwards. */
  async change(edit: (sources: this) => Promise<void>): Promise<string[]> {
    const before = this.read();
    await edit(this);
    const after = this.read();
    const files = new Set([...before.keys(), ...after.keys()]);
    return [...files].filter((file) => before.get(file) !== after.get(file)).sort();
  }

  async add(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.root, file)), { recursive: true });
    await writeFile(join(this.root, file), text, { flag: 'wx' });
  }

  /** Inserts lines below the only line that contains the words. */
  async insert(file: string, words: string, ...inserted: readonly string[]): Promise<void> {
    const lines = readFileSync(join(this.root, file), 'utf8').split('\n');
    const places = lines.flatMap((line, index) => (line.includes(words) ? [index] : []));
    if (places.length !== 1 || places[0] === undefined)
      throw new Error(`${places.length} lines of ${file} contain "${words}": this test must name one line`);
    lines.splice(places[0] + 1, 0, ...inserted);
    await writeFile(join(this.root, file), lines.join('\n'));
  }

  /** Replaces the words, which the file must contain exactly once. */
  async replace(file: string, words: string, replacement: string): Promise<void> {
    const parts = readFileSync(join(this.root, file), 'utf8').split(words);
    if (parts.length !== 2) throw new Error(`${file} contains "${words}" ${parts.length - 1} times`);
    await writeFile(join(this.root, file), parts.join(replacement));
  }

  /** The errors of the compiler. */
  async complaints(): Promise<string> {
    const { code, said } = await runNode(this.root, compilerOf('tsconfig.json'));
    return code === 0 ? '' : said || `the compiler ended with ${code}`;
  }

  /** Transpiles without type checks. @returns the entry of the gateway */
  async transpile(): Promise<string> {
    const made = join(this.root, 'dist');
    await Promise.all(
      [...this.read()].map(async ([file, text]) => {
        const { code } = await transform(text, {
          filename: file,
          swcrc: false,
          module: { type: 'es6' },
          jsc: decorators,
        });
        const target = join(made, file.replace(/\.ts$/, '.js'));
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, code);
      }),
    );
    return join(made, 'src', 'main.js');
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true });
  }

  private read(): Map<string, string> {
    const files = sources.flatMap((folder) =>
      readdirSync(join(this.root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    return new Map(files.map((file) => [relative(this.root, file), readFileSync(file, 'utf8')]));
  }
}
