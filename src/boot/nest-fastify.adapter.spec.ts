import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { fastify, type FastifyInstance } from 'fastify';
import { NestFastifyAdapter } from './nest-fastify.adapter.js';

@Controller()
class Broken {
  @Get('/known')
  known(): string {
    return 'known';
  }
}

@Module({ controllers: [Broken] })
class Root {}

describe('Nest on a server that has its own answers', () => {
  let close: () => Promise<void>;
  afterEach(() => close());

  async function started(adapterOf: (server: FastifyInstance) => FastifyAdapter): Promise<FastifyInstance> {
    const server = fastify();
    server.setErrorHandler((_error, _request, reply) => void reply.code(500).send('own error'));
    server.setNotFoundHandler((_request, reply) => void reply.code(404).send('own unknown path'));
    server.get('/outside-nest', () => {
      throw new Error('a test');
    });
    const app = await NestFactory.create(Root, adapterOf(server), { logger: false, abortOnError: false });
    close = () => app.close();
    await app.init();
    await server.ready();
    return server;
  }

  it('keeps the server’s answers to errors and unknown paths, and registers no middleware', async () => {
    const server = await started((own) => new NestFastifyAdapter(own));
    expect((await server.inject('/known')).body).toBe('known');
    expect((await server.inject('/outside-nest')).body).toBe('own error');
    expect((await server.inject('/nowhere')).body).toBe('own unknown path');
    expect(server.hasDecorator('use')).toBe(false);
  });

  // If this fails, Nest makes the calls no more, or by other names: NestFastifyAdapter is then superfluous, or too little.
  it('would lose them with the adapter as Nest ships it', async () => {
    const calls: string[] = [];
    class Watched extends FastifyAdapter {
      override async init(): Promise<void> {
        await super.init();
        calls.push(`init, middleware: ${this.instance.hasDecorator('use')}`);
      }
      override setErrorHandler(): FastifyInstance {
        calls.push('setErrorHandler');
        return this.instance;
      }
      override setNotFoundHandler(): FastifyInstance {
        calls.push('setNotFoundHandler');
        return this.instance;
      }
    }
    await started((own) => new Watched(own));
    expect(new Set(calls)).toEqual(new Set(['init, middleware: true', 'setErrorHandler', 'setNotFoundHandler']));
  });
});
