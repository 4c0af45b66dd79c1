import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const generated = 'prisma/client';

function filesOf(folder: string): [string, string][] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

describe('the committed database client', () => {
  it('is the one that Prisma generates from the schema; `npm run generate` writes it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'prisma-client-'));
    try {
      cpSync(join(root, 'prisma/schema.prisma'), join(folder, 'prisma/schema.prisma'));
      const schema = join(folder, 'prisma/schema.prisma');
      const prisma = join(import.meta.dirname, 'node_modules/prisma/build/index.js');
      const config = join(import.meta.dirname, 'prisma.config.ts');
      execFileSync(process.execPath, [prisma, 'generate', '--no-hints', '--config', config, '--schema', schema], {
        cwd: root,
        stdio: 'pipe',
      });
      expect(filesOf(join(root, generated)).length).toBeGreaterThan(5);
      expect(filesOf(join(folder, generated))).toEqual(filesOf(join(root, generated)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
