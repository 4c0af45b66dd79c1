import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { BootError } from '../../src/config/boot-error.js';
import { errorNamesOf } from '../../src/server/error-names.js';
import { ErrorResponder } from '../../src/server/error-responder.js';
import { RequestEntry, type EntryChecks } from '../../src/server/request-entry.js';
import { Recording } from '../../src/server/recording.js';
import { createServer } from '../../src/server/server.js';
import { portOf } from '../support/raw-http.js';
import { Stack } from '../support/stack.js';
import { CollectedTrail } from '../support/collected-trail.js';
import { versions } from '../../src/versions/versions.js';

describe('a gateway that cannot listen', () => {
  let first: Stack;
  beforeAll(async () => {
    first = await Stack.start();
    await first.gateway.listen();
  });
  afterAll(async () => {
    await first.close();
  });

  it.each<[string, () => Record<string, unknown>, RegExp]>([
    [
      'PORT is taken',
      () => ({ port: portOf(first.gateway.server) }),
      /^port \d+ is in use: stop what uses it, or set PORT$/,
    ],
    [
      'BANK_PORT is taken',
      () => ({ bankPort: portOf(first.gateway.bankServer) }),
      /^port \d+ is in use: stop what uses it, or set BANK_PORT$/,
    ],
    [
      'HOST is not of this machine',
      () => ({ host: '192.0.2.1' }),
      /^the address 192\.0\.2\.1 is not one of this machine: set HOST$/,
    ],
  ])('says so in one line when %s', async (_name, config, line) => {
    const second = await Stack.start({ config: config() });
    try {
      const error: unknown = await second.gateway.listen().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BootError);
      expect((error as BootError).message).toMatch(line);
    } finally {
      await second.close();
    }
  });
});

describe('a route that does not declare who may call it', () => {
  const pass = (): void => undefined;
  const noChecks: EntryChecks = {
    tpp: [],
    afterBody: [],
    rateLimit: { name: 'rate limit', policy: undefined, check: pass },
    consent: { name: 'live consent', check: pass },
    observe: [],
  };
  const server = () =>
    createServer(
      new Recording(pino({ level: 'silent' }), new CollectedTrail(), undefined),
      new ErrorResponder(errorNamesOf({ errorCodePrefix: 'AIG', baseUrl: 'https://bank.example' }, versions)),
      undefined,
      versions,
    );

  it('stops the boot, whichever code registered it, and is named', async () => {
    const undeclared = server();
    undeclared.get('/declared', { config: { declaration: { kind: 'public', name: 'declared' } } }, () => 'x');
    undeclared.get('/undeclared', () => 'x');
    await undeclared.register(async (plugin) => {
      plugin.post('/of-a-plugin', () => 'x');
    });
    await expect(undeclared.ready()).rejects.toThrow(
      new BootError(
        'routes without a declaration: GET /undeclared, POST /of-a-plugin; declare each endpoint or make it public',
      ),
    );
  });

  it('is not reported where every route has a declaration', async () => {
    const declared = server();
    declared.get('/declared', { config: { declaration: { kind: 'public', name: 'declared' } } }, () => 'x');
    declared.decorate('entry', new RequestEntry({ baseUrl: 'http://gateway.example' }, noChecks));
    declared.refuseOtherMethods();
    await declared.ready();
    expect((await declared.inject('/declared')).statusCode).toBe(200);
  });
});
