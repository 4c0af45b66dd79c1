import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { RequestContext } from '../request/request-context.js';
import { errorNamesOf } from './error-names.js';
import { trackAnswer, refuseBrokenHttp } from './broken-http.js';
import { answerInTurn } from './in-turn.js';
import { versions } from '../versions/versions.js';

const broken = Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_METHOD' });

describe('a connection that breaks', () => {
  const underWay = (headersSent: boolean): { socket: PassThrough; answer: ServerResponse } => {
    const socket = new PassThrough();
    const req = { complete: false };
    const answer = Object.assign(new EventEmitter(), { headersSent, socket, req }) as unknown as ServerResponse;
    const server = createServer(() => undefined);
    answerInTurn(server);
    server.emit('request', { socket }, answer);
    const request = {
      context: new RequestContext('its own', new ServerResponse(new IncomingMessage(new Socket())), false),
      url: '/',
      routeOptions: { config: {} },
    };
    const reply = { raw: answer, request, getHeader: () => undefined };
    trackAnswer(reply as unknown as FastifyReply, () => undefined);
    return { socket, answer };
  };
  const told = (socket: PassThrough): string => {
    refuseBrokenHttp(broken, socket, {
      errorNames: errorNamesOf({ errorCodePrefix: 'AIG', baseUrl: 'https://bank.example' }, versions),
      onUnread: () => undefined,
    });
    return String((socket.read() as Buffer | null) ?? '');
  };

  it('in the middle of an answer ends it: a second answer would be read as the rest of the first', () => {
    const { socket } = underWay(true);
    expect([told(socket), socket.destroyed]).toEqual(['', true]);
  });

  it('before an answer has begun is answered in the name of the request', () => {
    const { socket } = underWay(false);
    expect(told(socket)).toContain('x-fapi-interaction-id: its own');
  });

  it('after an answer is answered in no request’s name', () => {
    const { socket, answer } = underWay(true);
    answer.emit('close');
    const text = told(socket);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).not.toContain('its own');
  });
});
