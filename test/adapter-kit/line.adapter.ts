import { connect, type Socket } from 'node:net';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { ConnectionQueue } from './connection-queue.js';
import type { LineAnswer, LineQuestion } from './line-core.js';
import { TinyAdapter, type TinyAnswer } from './tiny.adapter.js';

/** The tiny adapter over lines in place of HTTP: it keeps every clause that applies to its core. */
export class LineAdapter extends TinyAdapter {
  private readonly sockets = new Set<Socket>();
  private readonly idle: Socket[] = [];
  private readonly turns = new ConnectionQueue(this.settings.connections);

  override async close(): Promise<void> {
    await super.close();
    for (const socket of this.sockets) socket.destroy();
  }

  override async send(path: string, signal: AbortSignal): Promise<TinyAnswer> {
    if (signal.aborted) throw new CoreError('timeout', 'the core was not asked: it is too late');
    await this.turns.take(signal);
    try {
      return await this.ask(path, signal);
    } finally {
      this.turns.leave();
    }
  }

  private ask(path: string, signal: AbortSignal): Promise<TinyAnswer> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new CoreError('unavailable', 'the adapter was closed'));
      if (signal.aborted) return reject(new CoreError('timeout', 'the core was not asked: it is too late'));
      const socket = this.idle.pop() ?? this.connected();
      const chunks: Buffer[] = [];
      const end = (settle: () => void): void => {
        this.stopListening(signal, onAbort);
        socket.removeListener('data', onData).removeListener('close', onClose).removeListener('error', onError);
        settle();
      };
      const onAbort = (): void => {
        socket.destroy();
        end(() => reject(new CoreError('timeout', 'the core did not answer in time')));
      };
      let code = 'no code';
      const onError = (error: NodeJS.ErrnoException): void => void (code = error.code ?? code);
      const onClose = (): void => end(() => reject(this.lost(code)));
      const onData = (chunk: Buffer): void => {
        if (chunks.length === 0) this.begun(signal, onAbort);
        chunks.push(chunk);
        if (chunk.at(-1) !== lineEnd) return;
        end(() => {
          this.idle.push(socket);
          const { status, body } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as LineAnswer;
          resolve({ status, type: 'application/json', body: Buffer.from(body) });
        });
      };
      signal.addEventListener('abort', onAbort);
      socket.on('data', onData).on('close', onClose).on('error', onError);
      socket.write(`${JSON.stringify({ path, token: this.token } satisfies LineQuestion)}\n`);
    });
  }

  private connected(): Socket {
    const { hostname, port } = new URL(this.settings.url);
    const socket = connect(Number(port), hostname);
    this.sockets.add(socket);
    // The core may reset an idle connection at any time.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.sockets.delete(socket);
      const place = this.idle.indexOf(socket);
      if (place >= 0) this.idle.splice(place, 1);
    });
    return socket;
  }
}

const lineEnd = '\n'.charCodeAt(0);
