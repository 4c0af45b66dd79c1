// `npm run build` makes dist/ with the compiler, which checks types and writes declarations. `npm start` only transpiles
// the files that it runs, so that it also starts with errors of types; `npm run check` checks types.
// Both compare the ages of files first, and do nothing when nothing is newer.
import './supported-node.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Its age is the time at which the last successful build began: later changes may be missing in that build. */
const BUILT = 'dist/.built';
/** The same for `npm start`. */
const STARTABLE = 'dist/.startable';
/** The compiler’s memory of its last run. With it, the compiler would not write a file again that was transpiled since. */
const COMPILER_STATE = 'dist/.tsbuildinfo';
/** npm writes it at each installation. */
const PACKAGES = 'node_modules/.package-lock.json';
const CONFIGURATION = ['rolldown.config.js', 'tsconfig.json', 'tsconfig.build.json', PACKAGES];
/** The build of the image has neither the tools nor the tests. */
const COMPILED = ['src', 'packages', 'prisma/client', 'adapter-tools', 'ops', 'sandbox', 'test', 'tools/build'].filter(
  (folder) => existsSync(join(ROOT, folder)),
);
const SOURCES = [...COMPILED, 'prisma', 'scripts'];
/** The folders with the programs of `npm start`. */
const STARTED = [
  'src',
  'packages/core-adapter',
  'packages/customer-authentication',
  'prisma/client',
  'ops',
  'sandbox',
  'tools/build',
];
/** A step that takes longer than this is named again and again, so that the reader sees that it does not hang. */
const NAMED_AGAIN_AFTER_MS = 10_000;

const modifiedAtMs = (path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether the file `made` does not exist, or is older than one of its sources. */
const isOlder = (made, sources) => {
  const madeAtMs = modifiedAtMs(made);
  return madeAtMs === 0 || sources.some((source) => modifiedAtMs(source) > madeAtMs);
};

/** All files of a folder that are compiled, and the folders, whose age shows when a file was added or removed. */
const filesOf = (folder) => [
  folder,
  ...readdirSync(join(ROOT, folder), { recursive: true })
    .filter((path) => !path.endsWith('.spec.ts'))
    .map((path) => join(folder, path)),
];

/**
 * Runs `node <words>` in the project's folder; ends this process when it fails. Faults are on standard error, where
 * `output` sends what the program itself writes on standard output.
 */
async function runNode(what, words, output = 'ignore') {
  const begunAtMs = performance.now();
  console.log(`Building: ${what}`);
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['inherit', output, 'inherit'] });
  const again = setInterval(() => {
    console.log(`Building: ${what}, for ${Math.round((performance.now() - begunAtMs) / 1000)} s now`);
  }, NAMED_AGAIN_AFTER_MS);
  const [status, signal] = await once(child, 'exit').finally(() => clearInterval(again));
  if (signal) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Removes from the folder `made` every compiled file whose TypeScript no longer exists in the folder `source`. The compiler
 * leaves it behind: the gateway would still serve a removed profile.
 */
function removeSourceless(made, source) {
  const sources = new Set(readdirSync(source, { recursive: true }));
  for (const file of readdirSync(made, { recursive: true })) {
    const [, module] = /^(.+?)(?:\.js|\.js\.map|\.d\.ts)$/.exec(file) ?? [];
    if (module !== undefined && !sources.has(`${module}.ts`)) rmSync(join(made, file));
  }
}

/** Whether {@link build} would do nothing. */
export const isBuilt = () => !isOlder(BUILT, [...CONFIGURATION, ...SOURCES.flatMap(filesOf)]);

/** Whether {@link buildForStart} would do nothing. */
export const isStartable = () =>
  !isOlder(STARTABLE, [...CONFIGURATION, ...[...STARTED, 'prisma', 'scripts'].flatMap(filesOf)]);

export async function build() {
  if (isBuilt()) return;
  const begun = new Date();
  // `nest build` writes the same JavaScript, but with the slower compiler. This one writes its faults on standard output.
  await runNode(
    'the sources',
    ['node_modules/typescript-7/bin/tsc', '--checkers', '1', '--project', 'tsconfig.build.json'],
    process.stderr,
  );
  for (const folder of COMPILED) removeSourceless(join(ROOT, 'dist', folder), join(ROOT, folder));
  // `npm pack ./dist/packages` makes the package of the ports and their kits.
  for (const file of ['packages/package.json', 'packages/core-adapter/CHANGELOG.md', 'LICENSE'])
    cpSync(join(ROOT, file), join(ROOT, 'dist', file === 'LICENSE' ? 'packages/LICENSE' : file));
  await makeTemplateAndBundle();
  for (const stamp of [BUILT, STARTABLE]) stampAt(stamp, begun);
}

/** Makes the files that `npm start` runs, without a check of types. */
export async function buildForStart() {
  if (isStartable()) return;
  const begun = new Date();
  console.log('Building: the sources');
  await Promise.all(STARTED.flatMap(filesOf).map(transpile));
  for (const folder of STARTED) removeSourceless(join(ROOT, 'dist', folder), join(ROOT, folder));
  await makeTemplateAndBundle();
  stampAt(STARTABLE, begun);
}

/** Writes the file that the compiler would write, unless it exists and is newer. */
async function transpile(path) {
  if (!/(?<!\.d)\.ts$/.test(path)) return;
  const made = join('dist', path.replace(/\.ts$/, '.js'));
  if (!isOlder(made, [path, ...CONFIGURATION])) return;
  const file = join(ROOT, made);
  const { code, map } = await transformFile(join(ROOT, path), {
    swcrc: false,
    sourceMaps: true,
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  });
  rmSync(join(ROOT, COMPILER_STATE), { force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.map`, map);
  writeFileSync(file, `${code}//# sourceMappingURL=${basename(file)}.map\n`);
}

async function makeTemplateAndBundle() {
  await Promise.all([
    // An empty, migrated PGlite directory, from which the first start makes its own.
    runNode('an empty database', ['dist/tools/build/build-template.js']),
    runNode('the bundles', ['node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.js']),
  ]);
}

/** Records that the build contains all sources up to that time. */
function stampAt(stamp, begun) {
  writeFileSync(join(ROOT, stamp), '');
  utimesSync(join(ROOT, stamp), begun, begun);
}

// Other programs import it; Node's own word for this, `import.meta.main`, came after the first Node 24.
if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) await build();
