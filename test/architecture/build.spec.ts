import { mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

// A variable, because the compiler has no types of a script.
const script = '../../scripts/build.mjs';
const { removeSourceless } = (await import(script)) as { removeSourceless: (made: string, source: string) => void };

describe('the compiled file of a removed source', () => {
  let folder: string;
  const write = (...files: string[]): void => {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'build-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is removed with it, and no other file is', () => {
    write('src/main.ts', 'src/profiles/profile-1.ts', 'src/profiles/profile.schema.ts');
    const kept = ['main.js', 'main.js.map', 'main.d.ts', 'profiles/profile-1.js', 'profiles/profile.schema.js'];
    write(...[...kept, 'profiles/data.json'].map((file) => `dist/${file}`));
    write('dist/profiles/profile-old.js', 'dist/profiles/profile-old.js.map', 'dist/profiles/profile-old.d.ts');
    removeSourceless(join(folder, 'dist'), join(folder, 'src'));
    const left = readdirSync(join(folder, 'dist'), { recursive: true });
    expect(left.sort()).toEqual([...kept, 'profiles', 'profiles/data.json'].sort());
  });
});
