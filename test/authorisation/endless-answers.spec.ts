import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { createHttpService } from '../../src/outgoing/http-service.js';
import { DirectoryClient } from '../../src/security/directory.client.js';
import { AuthorisationSetting } from './setting.js';

/** More than the buffers of the network hold. */
const muchBytes = 32 * 1024 * 1024;

describe('a key set that never ends', () => {
  let endless: Server;
  let url: string;
  let bytes: number;
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    endless = createServer((request, response) => {
      const spaces = Readable.from(
        (function* () {
          for (;;) {
            bytes += 64 * 1024;
            yield Buffer.alloc(64 * 1024, ' ');
          }
        })(),
      );
      if (request.url !== '/packed') return void spaces.pipe(response);
      response.setHeader('content-encoding', 'gzip');
      spaces.pipe(createGzip()).pipe(response);
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
    // Documents of others are fetched from the public internet alone: this machine is allowed as the directory's own.
    setting = await AuthorisationSetting.start({
      authorisationServer: { directory: { issuer: 'The directory', jwks: `${url}/directory` } },
    });
  });
  afterAll(async () => {
    await setting.close();
    endless.closeAllConnections();
    endless.close();
  });
  beforeEach(() => {
    bytes = 0;
  });

  it.each(['plain', 'packed'])('of a TPP is not read to its end, sent %s', async (how) => {
    const tpp = await setting.tpp(`tpp-${how}`, { metadata: { jwks: undefined, jwks_uri: `${url}/${how}` } });
    await expect(tpp.ownToken()).rejects.toMatchObject({ error: 'invalid_client' });
    expect(bytes).toBeLessThan(muchBytes);
  });

  it('is cut off for every reader', async () => {
    const directory = new DirectoryClient(createHttpService(), { issuer: 'The directory', jwks: `${url}/directory` });
    const read = directory.read(`${url}/plain`, { accept: '*/*', mostBytes: 512 * 1024, deadlineMs: 60_000 });
    await expect(read).rejects.toMatchObject({ cause: { kind: 'too-large' } });
    expect(bytes).toBeLessThan(muchBytes);
    directory.onApplicationShutdown();
  });
});
