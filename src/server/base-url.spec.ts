import { describe, expect, it } from '@jest/globals';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { AuthorisationServerConfig } from '../config/config.js';
import { baseUrls, asksForCertificate } from './base-url.js';

const baseUrl = 'http://gateway.example:3000';
const authorisationServer = { tpp: { url: 'https://tpps.example:3004' } } as AuthorisationServerConfig;

describe('the URL that links are built on', () => {
  it.each(['tpps.example:3004', 'gateway.example:3000', 'evil.example', undefined])(
    'is that of the listener to which the request came, when its Host is %s',
    (host) => {
      const of = baseUrls({ baseUrl, authorisationServer });
      const plain = new IncomingMessage(new Socket());
      const certified = new IncomingMessage(new Socket());
      plain.headers.host = certified.headers.host = host;
      asksForCertificate(certified.socket);
      expect([of({ raw: plain }), of({ raw: certified })]).toEqual([baseUrl, 'https://tpps.example:3004']);
    },
  );
});
