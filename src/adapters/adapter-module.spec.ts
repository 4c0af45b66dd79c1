import { describe, expect, it } from '@jest/globals';
import { BootError } from '../config/boot-error.js';
import { refuseOtherPort } from './adapter-module.js';

const port = { version: '2.3.1', entry: 'the-package/sign-on' };

/** The warnings about an adapter that was built with the version. */
function warnings(stated: unknown): string[] {
  const said: string[] = [];
  refuseOtherPort(port, 'CORE "mine"', stated, { warn: (_, message) => void said.push(message) });
  return said;
}

describe('a gateway with version 2.3.1 of the port', () => {
  it.each(['2.3.1', '2.3.9', '2.0.0'])('takes an adapter that was built with %s', (stated) => {
    expect(warnings(stated)).toEqual([]);
  });

  it.each(['2.4.0', '2.10.0'])('takes an adapter that was built with %s, and warns', (stated) => {
    expect(warnings(stated)).toEqual([
      `the adapter was built with version ${stated} of the port, and the gateway has 2.3.1: parts of it may have no effect`,
    ]);
  });

  it.each(['1.9.0', '3.0.0', '20.3.1'])('refuses an adapter that was built with %s', (stated) => {
    expect(() => warnings(stated)).toThrow(
      new BootError(
        `CORE "mine" was built with version ${stated} of the port, and the gateway has 2.3.1: build it with version 2`,
      ),
    );
  });

  it.each([undefined, 2, '', '2', '2.3', 'v2.3.1', '2.3.1-rc'])('refuses an adapter that states %j', (stated) => {
    expect(() => warnings(stated)).toThrow(
      new BootError(
        'CORE "mine" states no version of the port: add `export { portVersion } from \'the-package/sign-on\';` to its module',
      ),
    );
  });
});
