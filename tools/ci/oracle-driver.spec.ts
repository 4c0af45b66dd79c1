import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { oracle } from '../../src/core-banking/adapters/sql/oracle/oracle.dialect.js';
import type { OracleDriver } from '../../src/core-banking/adapters/sql/oracle/oracle.driver.js';
import type { SqlSettings } from '../../src/core-banking/adapters/sql/sql.settings.js';
import { CertificateAuthority } from '../../test/support/certificates.js';

// A variable, because the package has no types.
const name = 'oracledb';
const { default: driver } = (await import(name)) as {
  default: OracleDriver & { readonly Connection: { readonly prototype: object } };
};

/** What the real driver shows without a database. */
describe('the driver of Oracle', () => {
  it('has what the dialect uses', () => {
    for (const type of ['DB_TYPE_CHAR', 'DB_TYPE_NUMBER', 'DB_TYPE_VARCHAR'] as const)
      expect(driver[type]).toMatchObject({ num: expect.any(Number) });
    expect(driver.OUT_FORMAT_ARRAY).toEqual(expect.any(Number));
    const methods = ['execute', 'getStatementInfo', 'breakExecution', 'rollback', 'isHealthy', 'close'];
    expect(methods.filter((name) => !(name in driver.Connection.prototype))).toEqual([]);
    expect('callTimeout' in driver.Connection.prototype).toBe(true);
  });

  const settings = {
    scheme: 'oracle',
    host: '127.0.0.1',
    database: 'CORE',
    user: 'gateway',
    password: 'secret',
    connections: 1,
    statementTimeoutMs: 1_000,
  };
  const ping = (more: Partial<SqlSettings>) => {
    const database = oracle(driver).open({ ...settings, ...more } as SqlSettings);
    return database
      .rows({ sql: 'SELECT 1 FROM dual' }, {}, AbortSignal.timeout(60_000))
      .finally(() => database.close());
  };

  it('needs no client library, and finds no database at a closed port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await expect(ping({ port })).rejects.toMatchObject({
      kind: 'unavailable',
      detail: expect.stringMatching(/^the database cannot be reached \(NJS-5\d\d\)$/),
    });
  });

  it('begins with TLS where the settings ask for it, and says nothing in the clear', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const heard = once(server, 'connection').then(async ([socket]) => {
      const [first] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return first[0];
    });
    await expect(ping({ port: (server.address() as AddressInfo).port, tls: {} })).rejects.toMatchObject({
      kind: 'unavailable',
    });
    // A handshake record.
    expect(await heard).toBe(0x16);
    server.close();
  });

  it('would take no authorities without a key: it uses one text for the authorities, the certificate and the key', () => {
    const authority = new CertificateAuthority();
    const { certificatePem, keyPem } = authority.issue('gateway');
    const contextOf = (wallet: string) => createSecureContext({ ca: wallet, cert: wallet, key: wallet });
    expect(() => contextOf(authority.certificatePem)).toThrow();
    expect(() => contextOf([keyPem, certificatePem, authority.certificatePem].join('\n'))).not.toThrow();
  });
});
