import { describe, expect, it } from '@jest/globals';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { runChecks, type RequestCheck } from './checks.js';
import { RequestContext } from './request-context.js';

const reply = {} as FastifyReply;

describe('the checks of a request', () => {
  const request = (): { context: RequestContext } => ({
    context: new RequestContext('id', new ServerResponse(new IncomingMessage(new Socket())), false),
  });
  type Check = RequestCheck<{ context: RequestContext }>;

  it('run one after another, those that wait too, and each is the check of the context meanwhile', async () => {
    const seen: unknown[] = [];
    const note = ({ context }: { context: RequestContext }): void => void seen.push(context.check);
    const checks: Check[] = [
      { name: 'token', check: async (its) => Promise.resolve().then(() => note(its)) },
      { name: 'rate limit', check: note },
      { name: 'path', check: note },
    ];
    const asked = request();
    await runChecks(checks, asked, reply);
    expect(seen).toEqual(['token', 'rate limit', 'path']);
    expect(asked.context.check).toBeUndefined();
  });

  it.each<[string, Check['check']]>([
    [
      'at once',
      () => {
        throw new Error('refused');
      },
    ],
    ['later', () => Promise.reject(new Error('refused'))],
  ])('end with the one that refuses %s, which stays the check of the context', async (_when, refuse) => {
    const checks: Check[] = [
      { name: 'token', check: () => undefined },
      { name: 'scope', check: refuse },
      { name: 'permission', check: () => Promise.reject(new Error('not reached')) },
    ];
    const asked = request();
    await expect(runChecks(checks, asked, reply)).rejects.toThrow('refused');
    expect(asked.context.check).toBe('scope');
  });

  it('all have a name, or do not compile', () => {
    // @ts-expect-error: the name is missing
    const nameless: Check = { check: () => undefined };
    // @ts-expect-error: docs/specification.md has no such check
    const unknown: Check = { name: 'mood', check: () => undefined };
    expect([nameless, unknown]).toHaveLength(2);
  });
});

describe('the context of a request', () => {
  it('is not a way through for code that runs before its stage', () => {
    const context = new RequestContext('id', new ServerResponse(new IncomingMessage(new Socket())), false);
    expect(() => context.linkBase()).toThrow('the request has passed no host check');
    expect(() => context.verifiedToken()).toThrow('the request has passed no token check');
    expect(() => context.granted()).toThrow('the request has passed no consent check');
    expect(() => context.grantedAccount()).toThrow('the request has passed no account check');
  });
});
