import { describe, expect, it } from '@jest/globals';
import { portAgreement } from './port-agreement.js';

const port = { version: '2.3.1', entry: 'the-package/sign-on' };

describe('a gateway with version 2.3.1 of the port', () => {
  it.each(['2.3.1', '2.3.9', '2.0.0'])('takes an adapter that was built with %s', (stated) => {
    expect(portAgreement(stated, port)).toEqual({ agrees: true });
  });

  it.each(['2.4.0', '2.10.0'])('takes an adapter that was built with %s, and warns', (stated) => {
    expect(portAgreement(stated, port)).toEqual({
      agrees: true,
      warning: `the adapter was built with version ${stated} of the port, and the gateway has 2.3.1: parts of it may have no effect`,
    });
  });

  it.each(['1.9.0', '3.0.0', '20.3.1'])('refuses an adapter that was built with %s', (stated) => {
    expect(portAgreement(stated, port)).toEqual({
      agrees: false,
      reason: `was built with version ${stated} of the port, and the gateway has 2.3.1: build it with version 2`,
    });
  });

  it.each([undefined, 2, '', '2', '2.3', 'v2.3.1', '2.3.1-rc'])('refuses an adapter that states %j', (stated) => {
    expect(portAgreement(stated, port)).toMatchObject({
      agrees: false,
      reason: "states no version of the port: add `export { portVersion } from 'the-package/sign-on';` to its module",
    });
  });
});
