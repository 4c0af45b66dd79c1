import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBrandFile } from '../src/authorisation-server/pages/brand/brand-file.js';
import { type SandboxConfig, readSandboxConfig } from './sandbox.config.js';
import { keptSecrets, stackEnvironment } from './stack-environment.js';

describe('the settings that the sandbox makes for the authorization server', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stack-environment-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const environmentOf = async (config: SandboxConfig) => stackEnvironment(config, await keptSecrets(config));

  it('give the sandbox’s bank its own name, colours and logo', async () => {
    const { BRAND_FILE = '' } = await environmentOf(readSandboxConfig({ DATA_DIR: folder }));
    const { name, colours, logo } = readBrandFile(BRAND_FILE);
    expect([name, colours.primary, logo?.contentType]).toEqual(['Hartwell Sandbox Bank', '#3b1d5e', 'image/svg+xml']);
  });

  it('leave a brand that is set as it is', async () => {
    const config = readSandboxConfig({ DATA_DIR: folder, BRAND_FILE: '/own/brand.json' });
    expect((await environmentOf(config)).BRAND_FILE).toBe('/own/brand.json');
  });
});
