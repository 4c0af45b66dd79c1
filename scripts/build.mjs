// `npm run build` makes dist/ of all that is compiled; `npm run generate` makes the Prisma client alone. `npm start` and
// `npm test` call this each time. So it compares the ages of files and does nothing when nothing is newer: the compiler
// alone would take seconds to find that out.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeSourceless } from './sourceless.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENT = 'src/persistence/generated/client.ts';
/** Its age says when the last build that succeeded began: what changed later may not be in it. */
const BUILT = 'dist/.built';
/** npm writes it at each installation. */
const PACKAGES = 'node_modules/.package-lock.json';
const CLIENT_SOURCES = ['prisma/schema.prisma', 'prisma.config.ts', PACKAGES];
const CONFIGURATION = ['nest-cli.json', 'rolldown.config.js', 'tsconfig.json', 'tsconfig.build.json', PACKAGES];
/** The build of the image has neither the tools nor the tests. */
const COMPILED = ['src', 'packages', 'adapter-tools', 'sandbox', 'test'].filter((folder) =>
  existsSync(join(ROOT, folder)),
);
const SOURCES = [...COMPILED, 'prisma', 'scripts'];

const modifiedAtMs = (path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether the file `made` is not there, or older than one of those that it is made from. */
const isOlder = (made, sources) => {
  const madeAtMs = modifiedAtMs(made);
  return madeAtMs === 0 || sources.some((source) => modifiedAtMs(source) > madeAtMs);
};

/** All files of a folder that are compiled, and the folders, whose age says when a file was added or removed. */
const filesOf = (folder) => [
  folder,
  ...readdirSync(join(ROOT, folder), { recursive: true })
    .filter((path) => !path.endsWith('.spec.ts'))
    .map((path) => join(folder, path)),
];

/** Runs `node <words>` in the project's folder; ends this process when it fails. Faults are on standard error. */
function runNode(...words) {
  const { status, signal, error } = spawnSync(process.execPath, words, {
    cwd: ROOT,
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  if (error) throw error;
  if (signal) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}

// Prisma writes all files of the client anew each time, so one tells the age of all.
if (isOlder(CLIENT, CLIENT_SOURCES)) runNode('node_modules/prisma/build/index.js', 'generate', '--no-hints');

if (process.argv[2] !== 'client' && isOlder(BUILT, [...CONFIGURATION, ...SOURCES.flatMap(filesOf)])) {
  const begun = new Date();
  runNode('node_modules/@nestjs/cli/bin/nest.js', 'build');
  for (const folder of COMPILED) removeSourceless(join(ROOT, 'dist', folder), join(ROOT, folder));
  // An empty, migrated PGlite directory, from which the first start makes its own.
  runNode('dist/src/persistence/build-template.js');
  runNode('node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.js');
  writeFileSync(join(ROOT, BUILT), '');
  utimesSync(join(ROOT, BUILT), begun, begun);
}
