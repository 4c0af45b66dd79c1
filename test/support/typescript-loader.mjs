// Lets Node load the project's TypeScript files: the tests, and the programs that they start with `node --import <this
// file> <file>.ts`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { version } = require('@swc/core/package.json');
const OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};
/** The transpiled sources: a process of the project loads some hundreds. */
const KEPT = fileURLToPath(new URL('../../node_modules/.cache/account-information-gateway/sources', import.meta.url));

// In this thread: a second one, as of `register`, would take twice the time to load a gateway.
registerHooks({ resolve, load });

function resolve(specifier, context, next) {
  // Jest's own implementation works only in its virtual machine.
  if (specifier === '@jest/globals')
    return { url: new URL('jest-globals.js', import.meta.url).href, format: 'module', shortCircuit: true };
  if (specifier.startsWith('.') && specifier.endsWith('.js') && !context.parentURL.includes('/node_modules/')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

function load(url, context, next) {
  if (!/\.ts(\?|$)/.test(url)) return next(url, context);
  const path = fileURLToPath(url.split('?')[0]);
  const text = readFileSync(path, 'utf8');
  // Relative to the module, so that the same file in a copy of the project is the same module.
  const sourceFileName = basename(path);
  const kept = join(
    KEPT,
    `${createHash('sha256')
      .update(JSON.stringify([version, OPTIONS, sourceFileName, text]))
      .digest('hex')}.mjs`,
  );
  if (!existsSync(kept)) {
    const { transformSync } = require('@swc/core');
    // Several processes may come here at once, so each of them must read a complete file.
    const own = `${kept}.${process.pid}`;
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(own, transformSync(text, { ...OPTIONS, filename: path, sourceFileName }).code);
    renameSync(own, kept);
  }
  return { source: readFileSync(kept, 'utf8'), format: 'module', shortCircuit: true };
}
