import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { Type, type TSchema } from 'typebox';
import { checkParameters } from './parameters.js';

describe('a route of the bank’s port', () => {
  const declare = (params?: TSchema, querystring?: TSchema): void => {
    const server = fastify();
    checkParameters(server);
    server.get('/things/:thingId', { schema: { params, querystring } }, () => ({}));
  };
  const bounded = Type.String({ maxLength: 20, pattern: '^x+$' });

  it('declares the form of each parameter', () => {
    declare(Type.Object({ thingId: bounded }), Type.Object({ page: Type.Integer({ minimum: 1, maximum: 9 }) }));
    for (const [params, query, name] of [
      [undefined, undefined, 'thingId'],
      [Type.Object({ thingId: Type.String() }), undefined, 'thingId'],
      [Type.Object({ thingId: Type.String({ maxLength: 20 }) }), undefined, 'thingId'],
      [Type.Object({ thingId: bounded }), Type.Object({ page: Type.Integer({ minimum: 1 }) }), 'page'],
    ] as const)
      expect(() => declare(params, query)).toThrow(
        `the route GET /things/:thingId declares no form of its parameter ${name}`,
      );
  });
});
