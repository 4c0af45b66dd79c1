import { defineConfig } from 'prisma/config';

// `prisma generate` starts no engine, but fetches one unless a setting names one. Naming any executable lets the
// client be generated offline; `prisma migrate deploy` does start the engine, so there it must stay unset.
if (process.argv.includes('generate')) process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default defineConfig({
  schema: '../../prisma/schema.prisma',
  migrations: { path: '../../prisma/migrations' },
  // Only `prisma migrate` reads it; the gateway has its own settings.
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
});
