import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthorisationServerConfig } from '../config/config.js';
import { RequestContext } from '../request/request-context.js';
import { hostCheck } from './request-entry.js';

const baseUrl = 'http://gateway.example:3000';
const tppUrl = 'https://tpps.example:3004';
const authorisationServer = { tpp: { url: tppUrl } } as AuthorisationServerConfig;

describe('the URL that links are built on', () => {
  const linkBase = (host: string | undefined, asksForCertificate: boolean): string => {
    const raw = new IncomingMessage(new Socket());
    raw.url = '/';
    const context = new RequestContext('id', new ServerResponse(raw), asksForCertificate);
    const request = { raw, headers: { host }, context } as FastifyRequest;
    void hostCheck({ baseUrl, authorisationServer }).check(request, {} as FastifyReply);
    return context.linkBase();
  };

  it.each(['tpps.example:3004', 'gateway.example:3000', 'evil.example', undefined])(
    'is that of the listener to which the request came, when its Host is %s',
    (host) => {
      expect(linkBase(host, false)).toBe(baseUrl);
    },
  );

  it('is that of the listener that asks for certificates', () => {
    expect(linkBase('tpps.example:3004', true)).toBe(tppUrl);
  });
});
