// Bundles the built gateway with the packages that it loads at every start, in dist/gateway; and the operators' commands, in
// dist/operations. docs/architecture.md has the reason.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

/**
 * Any other dependency stays a package: those that find files next to their modules, and those that an adapter brings. So
 * does reflect-metadata, which must run before the decorators of every chunk: a chunk's imports run first, but its modules
 * may run in a different order.
 */
const bundled = [
  '@fastify/cookie',
  '@fastify/formbody',
  '@fastify/swagger',
  '@nestjs/axios',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  '@prisma/adapter-pg',
  '@prisma/client',
  'axios',
  'class-transformer',
  'class-validator',
  'commander',
  'fastify',
  'jose',
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
/** The bundled packages try to load these, and work without them. */
const optional = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'pg-native',
];

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const external = [...Object.keys(dependencies).filter((name) => !bundled.includes(name)), ...optional];
// The gateway finds profiles by the names of their files, so these names stay.
const profiles = Object.fromEntries(
  readdirSync(new URL('dist/src/profiles', import.meta.url)).flatMap((file) => {
    const [, name] = /^(profile-.*)\.js$/.exec(file) ?? [];
    return name === undefined ? [] : [[name, `dist/src/profiles/${name}.js`]];
  }),
);

/** Last, because a running gateway may still load one of the files. */
const removeFormerFiles = {
  name: 'remove-former-files',
  writeBundle: ({ dir }, bundle) => {
    for (const file of readdirSync(dir)) if (!(file in bundle)) rmSync(join(dir, file), { recursive: true });
  },
};

const bundle = (dir, input) => ({
  input,
  platform: 'node',
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
  logLevel: 'warn',
  plugins: [removeFormerFiles],
  output: {
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[hash].js',
    sourcemap: true,
    // A file with one character beyond ASCII takes twice the memory.
    charset: 'ascii',
    comments: { legal: true, jsdoc: false, annotation: false },
  },
});

/** The gateway; the one of the sandbox, which no image of the gateway holds; and the operators' commands. */
export default defineConfig([
  bundle('dist/gateway', { main: 'dist/src/main.js', ...profiles }),
  bundle('dist/sandbox-gateway', { main: 'dist/sandbox/gateway/main.js', ...profiles }),
  bundle('dist/operations', { main: 'dist/ops/main.js' }),
]);
