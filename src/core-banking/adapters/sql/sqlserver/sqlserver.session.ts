import { Socket } from 'node:net';
import { CoreSettingFault } from '../../../../../packages/core-adapter/core-settings.js';
import type { Session } from '../connections.js';
import type { SqlSettings } from '../sql.settings.js';
import type { Tedious, TediousConnection } from './sqlserver.driver.js';

/** How long the server may take to confirm that it has ended a statement; then the connection ends, and the statement with it. */
const cancelMs = 250;

/** @throws CoreSettingFault for a setting that the server cannot follow */
export function refuseUnknown({ password, tls }: SqlSettings): void {
  if (password === undefined) throw new CoreSettingFault('CORE_PASSWORD', 'must be the password of CORE_USERNAME');
  if (tls?.cert !== undefined)
    throw new CoreSettingFault('CORE_CERT_FILE', 'must not be set: SQL Server knows no client by a certificate');
}

/** The first byte of the packet with the password. */
const login = 0x10;

/**
 * The driver would log in without TLS where the server, or someone between, says that it has no TLS.
 * @returns lets the driver log in
 */
function forbidLogin(socket: Socket): () => void {
  // Node's `connect` removes a method of a subclass.
  const write = socket.write.bind(socket) as (chunk: Uint8Array, ...rest: unknown[]) => boolean;
  socket.write = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
    if (chunk[0] !== login) return write(chunk as Uint8Array, ...rest);
    socket.destroy(new Error('the server has no TLS'));
    return false;
  };
  return () => (socket.write = write as Socket['write']);
}

/** A statement that is given up is cancelled at the server, and the session ends when the server has confirmed that. */
export class SqlServerSession implements Session<TediousConnection> {
  readonly client: TediousConnection;
  readonly opened: Promise<unknown>;
  private readonly socket = new Socket();
  private isAbandoned = false;

  constructor({ Connection }: Tedious, { host, port = 1433, database, user, password, tls }: SqlSettings) {
    this.client = new Connection({
      server: host,
      authentication: { type: 'default', options: { userName: user, password } },
      options: {
        port,
        database,
        appName: 'account-information-gateway',
        encrypt: tls !== undefined,
        trustServerCertificate: false,
        cryptoCredentialsDetails: tls?.ca === undefined ? {} : { ca: tls.ca },
        readOnlyIntent: true,
        // The database of CORE_URL, or none.
        fallbackToDefaultDb: false,
        maxRetriesOnTransientErrors: 0,
        // The deadline of the call and the limit of its statement end a request.
        requestTimeout: 0,
        cancelTimeout: cancelMs,
        connector: ({ host: at, port: on }: { host: string; port: number }) => this.connect(at, on),
      },
    });
    // An error without a listener would end the process. The waiting statement fails with it as well.
    this.client.on('error', () => undefined);
    this.socket.on('error', () => undefined);
    if (tls !== undefined) this.socket.once('connect', () => this.client.once('secure', forbidLogin(this.socket)));
    this.opened = new Promise((resolve, reject) => {
      this.client.connect((error) => (error === undefined ? resolve(undefined) : reject(error)));
    });
  }

  get isUsable(): boolean {
    return !this.isAbandoned && !this.socket.destroyed;
  }

  abandon(ended: Promise<unknown>): void {
    this.isAbandoned = true;
    // The driver would wait for an answer on a socket that is destroyed without an error.
    const destroy = (): void => void this.socket.destroy(new Error('abandoned'));
    if (this.client.cancel()) ended.then(destroy, destroy);
    else destroy();
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.client.once('end', resolve);
      this.client.close();
    });
  }

  private connect(host: string, port: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      this.socket.once('error', reject);
      this.socket.connect({ host, port }, () => resolve(this.socket));
    });
  }
}
