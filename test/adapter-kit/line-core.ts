import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { AdapterUnderTest, TestCore } from '../../packages/adapter-kit/adapter-kit.js';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import { startTinyCore, tinyKit } from './tiny-core.js';

/** A question, sent as one line. The answer is one line, too. */
export interface LineQuestion {
  readonly path: string;
  readonly token: string;
}
export interface LineAnswer {
  readonly status: number;
  readonly body: string;
}

/** The tiny core behind a protocol of lines over TCP. */
async function startLineCore(world: { readonly timeZone?: string }): Promise<TestCore> {
  const tiny = await startTinyCore(world);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    const lines = createInterface(socket).on('error', () => {});
    lines.on(
      'line',
      (line) =>
        void answerTo(tiny.url, line).then(
          (said) => socket.write(said),
          // The tiny core was closed meanwhile.
          () => socket.destroy(),
        ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...tiny,
    url: `lines://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
      await tiny.close();
    },
  };
}

async function answerTo(url: string, line: string): Promise<string> {
  const { path, token } = JSON.parse(line) as LineQuestion;
  // Not fetch, which would resolve the `..` of a strange reference.
  const [answer] = (await once(get(url, { path, headers: { authorization: `Bearer ${token}` } }), 'response')) as [
    IncomingMessage,
  ];
  const said: LineAnswer = { status: answer.statusCode ?? 0, body: await text(answer) };
  return `${JSON.stringify(said)}\n`;
}

/** @param create makes an adapter of a core that speaks in lines */
export function lineKit(create: (settings: CoreSettings) => CoreAdapter): AdapterUnderTest {
  return { ...tinyKit(create), core: startLineCore };
}
