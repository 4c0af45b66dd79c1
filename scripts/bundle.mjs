// Bundles the built gateway, dist/src/main.js, with the packages that it loads at every start: dist/gateway/main.js, and
// the operators' commands beside it. The 2,700 files of these take twice as long to become ready as the few dozen that they are here, and 20 MB more.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './run.mjs';

/**
 * Any other dependency stays a package: those that find files beside their own, and whatever an adapter brings. So does
 * reflect-metadata, which must run before the decorators of every chunk: a chunk's imports do, its own modules may come
 * in another order.
 */
const bundled = [
  '@fastify/swagger',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  '@prisma/adapter-pg',
  '@prisma/client',
  'class-transformer',
  'class-validator',
  'fastify',
  'jose',
  'limiter',
  'lru-cache',
  'negotiator',
  'pg',
  'pglite-prisma-adapter',
  'pino',
  'prom-client',
  'rxjs',
  'typebox',
  'undici',
];
/** What these try to load and do without. */
const doneWithout = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'pg-native',
];

const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const source = join(ROOT, 'dist', 'src');
const target = join(ROOT, 'dist', 'gateway');
// Profiles are found by their files' names, which therefore stay.
const profiles = readdirSync(join(source, 'profiles')).flatMap((file) => /^(profile-.*)\.js$/.exec(file)?.[1] ?? []);
const external = [...Object.keys(dependencies).filter((name) => !bundled.includes(name)), ...doneWithout];

const bundle = await rolldown({
  input: {
    main: join(source, 'main.js'),
    commands: join(source, 'commands', 'main.js'),
    ...Object.fromEntries(profiles.map((name) => [name, join(source, 'profiles', name)])),
  },
  platform: 'node',
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
  logLevel: 'warn',
});
const { output } = await bundle.write({
  dir: target,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunk-[hash].js',
  sourcemap: true,
  // What is no ASCII takes twice the memory, and all of the file with it.
  charset: 'ascii',
  comments: { legal: true, jsdoc: false, annotation: false },
});

await bundle.close();

// Last: a gateway that runs meanwhile may still load one of them.
const written = output.map(({ fileName }) => fileName);
for (const file of readdirSync(target)) if (!written.includes(file)) rmSync(join(target, file));
