import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { gatewayCommand } from '../../sandbox/gateway-command.js';
import { packageRoot } from '../../src/persistence/package-root.js';

const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');
const command = ['node', ...gatewayCommand.nodeOptions, 'dist/gateway/main.js'];

describe('the gateway is started with the same options', () => {
  it('by npm run start:gateway', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    // It replaces the shell, as scripts/start.mjs explains: npm's SIGTERM and SIGINT reach the gateway itself.
    expect(scripts['start:gateway']).toBe(`exec ${command.join(' ')} || ${command.join(' ')}`);
  });

  it('by the image', () => {
    // The last stage is the gateway's.
    const stated = [...read('Dockerfile').matchAll(/^CMD (\[.*\])$/gm)].at(-1)?.[1];
    expect(JSON.parse(stated ?? '')).toEqual(command);
  });
});
