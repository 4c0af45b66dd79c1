import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';
import { createHttpService } from '../outgoing/http-service.js';
import { DirectoryClient } from './directory.client.js';

describe('the certificate authorities of a directory', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'directory-'));
    writeFileSync(join(folder, 'text'), 'no certificate');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['absent', 'cannot be read'],
    ['.', 'cannot be read'],
    ['text', 'holds no certificates'],
  ])('are refused where the file is %s', (name, why) => {
    const caFile = join(folder, name);
    const config = { issuer: 'd', jwks: 'https://directory.example/jwks', caFile };
    expect(() => new DirectoryClient(createHttpService(), config)).toThrow(
      new BootError(`DIRECTORY_CA_FILE "${caFile}" ${why}: name a readable PEM file`),
    );
  });
});
