import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { limitConnections } from './connection-limit.js';
import { answerInTurn } from './in-turn.js';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('at its limit of two connections, a listener', () => {
  const opened: Socket[] = [];
  let server: Server;
  const serve = async (listener: RequestListener): Promise<void> => {
    server = createServer(listener);
    answerInTurn(server);
    limitConnections(server, 2, pino({ level: 'silent' }));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  };
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy();
    server.close();
  });

  const open = async (given = ''): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    opened.push(socket);
    const accepted = once(server, 'connection');
    const heard = given === '' ? undefined : once(server, 'request');
    socket.write(given);
    await accepted;
    await heard;
    return socket;
  };
  const answered = async (socket: Socket): Promise<void> => void (await once(socket, 'data'));
  const isClosed = async (socket: Socket): Promise<void> => void (await once(socket.resume(), 'close'));

  it('closes the connection that has been idle for longest, whichever was opened first', async () => {
    await serve((_request, response) => response.end('answer'));
    const first = await open(request);
    await answered(first);
    const second = await open(request);
    await answered(second);
    first.write(request);
    await answered(first);
    const third = await open(request);
    await isClosed(second);
    await answered(third);
    first.write(request);
    await answered(first);
  });

  it('closes a connection whose client does not read its answer before it refuses one that sends a request', async () => {
    const waiting: ServerResponse[] = [];
    await serve(({ url }, response) =>
      url === '/long' ? response.end(Buffer.alloc(64_000_000)) : waiting.push(response),
    );
    const lazy = await open(request.replace('/', '/long'));
    lazy.pause();
    const patient = await open(request);
    const third = await open(request);
    const answers = [text(patient), text(third)];
    for (const response of waiting) response.setHeader('connection', 'close').end('answer');
    for (const answer of answers) expect(await answer).toMatch(/answer$/);
    await isClosed(lazy);
  });

  it('closes the new one where both of the others wait for their answers', async () => {
    const waiting: ServerResponse[] = [];
    await serve((_request, response) => waiting.push(response));
    const answers = [text(await open(request)), text(await open(request))];
    await isClosed(await open());
    for (const response of waiting) response.setHeader('connection', 'close').end('answer');
    for (const answer of answers) expect(await answer).toMatch(/answer$/);
  });
});
