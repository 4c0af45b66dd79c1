import { expect, it } from '@jest/globals';
import { consoleHost } from './stack-console.js';

it('the console listens on 127.0.0.1 whatever SANDBOX_HOST is, except in a container', () => {
  const config = { sandboxHost: '0.0.0.0' };
  expect([consoleHost(config, false), consoleHost(config, true)]).toEqual(['127.0.0.1', '0.0.0.0']);
});
