import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBrandFile } from '../src/authorisation-server/pages/brand/brand-file.js';
import { embeddedEnvironment } from './embedded-environment.js';
import { readSandboxConfig } from './sandbox.config.js';

describe('the settings that the sandbox makes for the authorization server', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-environment-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('give the sandbox’s bank a name, colours of its own and a logo', async () => {
    const { BRAND_FILE = '' } = await embeddedEnvironment(readSandboxConfig({ DATA_DIR: folder }));
    const { name, colours, logo } = readBrandFile(BRAND_FILE);
    expect([name, colours.primary, logo?.contentType]).toEqual(['Hartwell Sandbox Bank', '#3b1d5e', 'image/svg+xml']);
  });

  it('leave a brand that is set as it is', async () => {
    const config = readSandboxConfig({ DATA_DIR: folder, BRAND_FILE: '/own/brand.json' });
    expect((await embeddedEnvironment(config)).BRAND_FILE).toBe('/own/brand.json');
  });
});
