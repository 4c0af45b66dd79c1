import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import {
  acknowledged,
  type Asked,
  askedByBatch,
  askedByRpc,
  cancelled,
  failed,
  finished,
  type Message,
  Messages,
  messageTypes,
  packets,
  prelogin,
  type Rows,
  rowsAnswer,
  type SqlError,
} from './tds-messages.js';

/** `never`: until the client gives it up; `gone`: the server breaks the connection. */
export type Reply = Rows | { readonly errors: readonly SqlError[] } | 'nothing' | 'never' | 'gone';

export interface Login {
  readonly user: string;
  readonly database: string;
  readonly isReadOnly: boolean;
}

/**
 * A stub of Microsoft SQL Server: it speaks its protocol, TDS 7.4, as far as the adapter's driver needs it, and knows no SQL.
 * A test answers the statements.
 */
export class TdsServer {
  readonly logins: Login[] = [];
  /** Statements that the clients have cancelled. */
  cancels = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly tls: { readonly cert: string; readonly key: string } | undefined,
    private readonly reply: (asked: Asked, login: Login) => Reply | Promise<Reply>,
    private readonly password: string,
  ) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => undefined);
      this.greet(socket);
    });
  }

  static async start(
    reply: TdsServer['reply'],
    { tls, password = 'secret' }: { tls?: TdsServer['tls']; password?: string } = {},
  ): Promise<TdsServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TdsServer(server, tls, reply, password);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** Breaks every connection. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Up to the end of the TLS handshake, whose records are in packets of the protocol. */
  private greet(socket: Socket): void {
    const messages = new Messages();
    let handshake: Duplex | undefined;
    const onData = (chunk: Buffer): void => {
      for (const { type, data } of messages.of(chunk)) {
        if (type !== messageTypes.prelogin) return this.serve(socket, { type, data }, messages);
        if (handshake !== undefined) handshake.push(data);
        else {
          socket.write(packets(messageTypes.answer, prelogin(this.tls !== undefined)));
          if (this.tls !== undefined) handshake = this.startTls(socket, onData, this.tls);
        }
      }
    };
    socket.on('data', onData);
  }

  private startTls(
    socket: Socket,
    onData: (chunk: Buffer) => void,
    { cert, key }: { cert: string; key: string },
  ): Duplex {
    let isSecure = false;
    let flight: Buffer[] = [];
    const send = (): void => {
      if (flight.length > 0) socket.write(packets(messageTypes.prelogin, Buffer.concat(flight)));
      flight = [];
    };
    const wire = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _, written) => {
        if (isSecure) return void socket.write(chunk, written);
        // The driver expects one message for each flight.
        if (flight.push(chunk) === 1) setImmediate(send);
        written();
      },
    });
    const secure = new TLSSocket(wire, { isServer: true, secureContext: createSecureContext({ cert, key }) });
    secure.on('error', () => socket.destroy());
    const begin = (): void => {
      send();
      isSecure = true;
      socket.off('data', onData);
      socket.on('data', (chunk: Buffer) => wire.push(chunk));
      const messages = new Messages();
      secure.once('data', (chunk: Buffer) => {
        for (const message of messages.of(chunk)) this.serve(secure, message, messages);
      });
    };
    // The last flight is written after the event.
    secure.on('secure', () => setImmediate(begin));
    return wire;
  }

  /** @param first the login @param messages of the rest of the stream */
  private serve(stream: Socket, first: Message, messages: Messages): void {
    const send = (data: Buffer): void => void stream.write(packets(messageTypes.answer, data));
    const login = this.admit(first.data, send);
    if (login === undefined) return void stream.end();
    let waits = false;
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => {
      for (const message of messages.of(chunk)) {
        if (message.type === messageTypes.attention) {
          this.cancels++;
          for (const part of waits ? cancelled : cancelled.slice(1)) send(part);
          waits = false;
          continue;
        }
        const asked = message.type === messageTypes.batch ? askedByBatch(message) : askedByRpc(message);
        waits = true;
        void this.answer(asked, login).then((answer) => {
          if (answer === 'gone') stream.destroy();
          else if (answer !== 'never' && waits) {
            waits = false;
            send(answer);
          }
        });
      }
    });
  }

  private async answer(asked: Asked, login: Login): Promise<Buffer | 'never' | 'gone'> {
    // The driver's own settings of the session.
    if (asked.sql.startsWith('set ansi_nulls')) return finished;
    const reply = await this.reply(asked, login);
    if (reply === 'never' || reply === 'gone') return reply;
    if (reply === 'nothing') return finished;
    return 'errors' in reply ? failed(reply.errors) : rowsAnswer(reply);
  }

  private admit(data: Buffer, send: (data: Buffer) => void): Login | undefined {
    const text = (at: number): string => {
      const start = data.readUInt16LE(at);
      return data.toString('ucs2', start, start + data.readUInt16LE(at + 2) * 2);
    };
    const login = { user: text(40), database: text(68), isReadOnly: (data.readUInt8(26) & 0x20) !== 0 };
    this.logins.push(login);
    if (unscrambled(Buffer.from(text(44), 'ucs2')) !== this.password) {
      send(failed([{ number: 18456, class: 14, message: `Login failed for user '${login.user}'.` }]));
      return undefined;
    }
    send(acknowledged(login.database));
    return login;
  }
}

/** [MS-TDS], 2.2.6.4: the halves of each byte are swapped, after an exclusive or. */
function unscrambled(data: Buffer): string {
  return Buffer.from(data.map((byte) => ((byte ^ 0xa5) << 4) | ((byte ^ 0xa5) >> 4))).toString('ucs2');
}
