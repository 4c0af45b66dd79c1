import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { ownHostOnly } from './listeners.js';

describe('a listener of its own name', () => {
  it.each([
    ['api.bank.example', 200],
    ['api.bank.example:443', 200],
    ['other.example', 421],
  ])('answers what is sent to %s with %i', (host, status) => {
    const request = new IncomingMessage(new Socket());
    request.headers.host = host;
    const response = new ServerResponse(request);
    ownHostOnly('https://api.bank.example', (_request, answer) => answer.writeHead(200))(request, response);
    expect(response.statusCode).toBe(status);
  });
});
