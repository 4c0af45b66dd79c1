import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AdapterUnderTest } from '../../packages/adapter-kit/adapter-kit.js';
import { createAdapter } from './template.adapter.js';

/** The description of the adapter template for the kit: see docs/bank/port.md of the gateway. */
export const kit: AdapterUnderTest = {
  // 1. Start the test core here, or take hold of one that runs: this one serves nothing.
  core: async () => {
    const server = createServer((_, answer) => answer.writeHead(501).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: async () => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      },
    };
  },
  create: createAdapter,
  // 2. Its customers, and the truth about each of their accounts.
  personas: () => [],
  truth: (_, accountRef) => {
    throw new Error(`the kit has no truth about account ${accountRef}`);
  },
  // 3. Bad values of the adapter's own settings, e.g. { CORE_TENANT: [undefined, ''] }.
  badSettings: {},
};
