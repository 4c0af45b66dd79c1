import { CoreSettingFault } from '../../../../../packages/core-adapter/core-settings.js';
import type { Session } from '../connections.js';
import type { SqlSettings } from '../sql.settings.js';
import type { OracleConnection, OracleDriver } from './oracle.driver.js';

/** @throws CoreSettingFault for a setting that the driver cannot follow */
export function refuseUnknown({ password, tls, database }: SqlSettings): void {
  if (password === undefined) throw new CoreSettingFault('CORE_PASSWORD', 'must be the password of CORE_USERNAME');
  // Other characters have a meaning in a connect string.
  if (!/^[\w.$#-]+$/.test(database)) throw new CoreSettingFault('CORE_URL', 'must end with the name of a service');
  // The driver makes one wallet of the three, and takes none without a key.
  if (tls?.ca !== undefined && tls.key === undefined)
    throw new CoreSettingFault(
      'CORE_CA_FILE',
      'needs CORE_CERT_FILE and CORE_KEY_FILE with Oracle’s driver: without a client certificate, name the authorities in NODE_EXTRA_CA_CERTS',
    );
}

/** The texts and numbers of a statement are understood in one way, whatever the database's own settings. */
const ownSettings = `ALTER SESSION SET NLS_COMP = 'BINARY' NLS_SORT = 'BINARY' NLS_NUMERIC_CHARACTERS = '.,'`;
/** Seconds that the driver may try to connect. */
const patienceSeconds = 10;

/** A statement that is given up is broken off at the server, and the session ends when the server has confirmed that. */
export class OracleSession implements Session<Promise<OracleConnection>> {
  readonly client: Promise<OracleConnection>;
  private connection: OracleConnection | undefined;
  private isAbandoned = false;

  constructor(driver: OracleDriver, { host, port, database, user, password, tls, statementTimeoutMs }: SqlSettings) {
    const name = host.includes(':') ? `[${host}]` : host;
    const address = tls === undefined ? `tcp://${name}:${port ?? 1521}` : `tcps://${name}:${port ?? 2484}`;
    const open = async (): Promise<OracleConnection> => {
      const connection = await driver.getConnection({
        user,
        password,
        connectString: `${address}/${database}`,
        ...(tls?.key !== undefined && { walletContent: [tls.key, tls.cert, tls.ca].join('\n') }),
        connectTimeout: patienceSeconds,
        transportConnectTimeout: patienceSeconds,
        // Minutes between the checks that the server is still there.
        expireTime: 1,
      });
      connection.callTimeout = statementTimeoutMs;
      await connection.execute(ownSettings, {}, {});
      return (this.connection = connection);
    };
    this.client = open();
  }

  get opened(): Promise<unknown> {
    return this.client;
  }

  get isUsable(): boolean {
    return !this.isAbandoned && this.connection?.isHealthy() === true;
  }

  abandon(ended: Promise<unknown>): void {
    this.isAbandoned = true;
    // A session that is lost already can neither be broken off nor be closed.
    this.connection?.breakExecution().catch(() => undefined);
    const close = (): Promise<void> => this.end().catch(() => undefined);
    ended.then(close, close);
  }

  async end(): Promise<void> {
    await (await this.client).close();
  }
}
