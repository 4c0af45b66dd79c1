// Jest loads every module anew for each test file: beside a gateway that is a second, the same one for file after file.
// Bundled, files that need much the same load it once. Each file can still be run by its own path.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from './run.mjs';

const FOLDER = join(ROOT, 'test', '.suites');
/** So many that the last suite to end is not long alone. */
const FILES = 8;
/** Of test/, what needs something else than the gateway's API, or more. */
const APART = new Set([
  'adapter-tools',
  'architecture',
  'authorisation',
  'bench',
  'customer-pages',
  'sandbox',
  'stores',
]);
/** They collect garbage to measure memory: the more other files have loaded, the longer that takes. */
const ALONE = /kit/;

/** Writes the suites of the test files whose path fits one of the patterns, and returns what has Jest run them alone. */
export function bundle(patterns = [/^/]) {
  const suites = new Map();
  for (const path of testFiles().filter((file) => patterns.some((pattern) => pattern.test(file)))) {
    const folder = ALONE.test(path) ? path.replace(/\.spec\.ts$/, '') : folderOf(path);
    suites.set(folder, [...(suites.get(folder) ?? []), path]);
  }
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [folder, paths] of suites)
    for (let from = 0; from < paths.length; from += FILES) {
      const imports = paths.slice(from, from + FILES).map((path) => relative(FOLDER, join(ROOT, path)));
      const name = `${folder.split(sep).join('-')}-${from / FILES + 1}.suite.ts`;
      writeFileSync(join(FOLDER, name), imports.map((path) => `import '${path.replace(/\.ts$/, '.js')}';\n`).join(''));
    }
  return ['--testMatch', '<rootDir>/test/.suites/*.suite.ts'];
}

/** Of all test files, as paths from the project's folder. */
function testFiles() {
  return ['src', 'sandbox', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.spec.ts'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  );
}

/** What is tested through the gateway's API needs the same; the rest of src/ is small. */
function folderOf(path) {
  const [top, second] = path.split(sep);
  if (top !== 'test') return top;
  return APART.has(second) ? second : 'api';
}
