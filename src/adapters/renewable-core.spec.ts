import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { CoreSettingFault } from '../../packages/core-adapter/core-settings.js';
import { CertificateAuthority } from '../../test/support/certificates.js';
import { BootError } from '../config/boot-error.js';
import { currentRead } from '../core-banking/current-read.js';
import { RenewableCore } from './renewable-core.js';

describe('the renewal of a core’s certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'renewable-core-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const terms = { name: 'core', url: 'https://127.0.0.1:1', urlSetting: 'CORE_URL', connections: 1, maxAnswerBytes: 1 };
  const ca = { setting: 'CORE_CA_FILE', path: join(folder, 'ca.pem') };
  const renewing = (renewCertificates: () => () => void) => ({ renewCertificates }) as unknown as CoreAdapter;

  it.each([
    [{ adapter: 'ledger' }, 'settings of the core "ledger": CORE_CA_FILE'],
    [{ adapter: 'ledger', name: 'cards' }, 'settings of the core "cards": CORE_CARDS_CA_FILE'],
  ])('is refused where a file of an HTTP client has a fault, by the name of its setting: %j', async (core, place) => {
    writeFileSync(ca.path, new CertificateAuthority().certificatePem);
    const renewable = new RenewableCore(core);
    const clients = [renewable.connect(terms), renewable.connect({ ...terms, ca })];
    expect(() => renewable.renew()()).not.toThrow();
    writeFileSync(ca.path, 'no certificate');
    expect(() => renewable.renew()).toThrow(new BootError(`${place} must be a PEM file with certificates`));
    await Promise.all(clients.map((client) => client.close()));
  });

  it('is refused where a file that the adapter reads itself has a fault', () => {
    const renewable = new RenewableCore({ adapter: 'sql' });
    renewable.add(
      renewing(() => {
        throw new CoreSettingFault('CORE_KEY_FILE', 'must be a file that can be read');
      }),
    );
    expect(() => renewable.renew()).toThrow(
      new BootError('settings of the core "sql": CORE_KEY_FILE must be a file that can be read'),
    );
  });

  it('puts the adapter’s certificates to use when all files are read, and asks no adapter that reads none', () => {
    const steps: string[] = [];
    const renewable = new RenewableCore({ adapter: 'sql' });
    for (const name of ['one', 'other'])
      renewable.add(
        renewing(() => {
          steps.push(`${name} is read`);
          return () => steps.push(`${name} is used`);
        }),
      );
    renewable.add({} as CoreAdapter);
    const putToUse = renewable.renew();
    expect(steps).toEqual(['one is read', 'other is read']);
    putToUse();
    expect(steps.slice(2)).toEqual(['one is used', 'other is used']);
  });
});

describe('an HTTP client that the gateway lends to an adapter', () => {
  it('passes the trace of the read that runs on to the core, if there is one', async () => {
    const seen: unknown[] = [];
    const core = createServer(({ headers }, response) => {
      seen.push(headers['traceparent']);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(core, 'listening');
    const url = `http://127.0.0.1:${(core.address() as AddressInfo).port}`;
    const terms = { name: 'core', url, urlSetting: 'CORE_URL', connections: 1, maxAnswerBytes: 1 };
    const client = new RenewableCore({ adapter: 'ledger' }).connect(terms);
    const ask = () => client.ask({ path: '/', headers: ['accept', '*/*'] }, new AbortController().signal);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await currentRead.run({ interactionId: 'one', traceparent }, ask);
    await currentRead.run({ interactionId: 'two' }, ask);
    await ask();
    expect(seen).toEqual([traceparent, undefined, undefined]);
    await client.close();
    core.close();
  });
});
