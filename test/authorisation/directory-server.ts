import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { importJWK, SignJWT, type JWK, type JWTPayload } from 'jose';
import type { DirectoryConfig } from '../../src/config/config.js';
import { makeSigningKey } from '../../sandbox/bank/issuer.js';
import { Directory } from '../../sandbox/directory/directory.js';
import { directoryPaths } from '../../sandbox/directory/directory-paths.js';
import type { Clock } from '../../src/clock/clock.js';

/** The sandbox's directory on a separate server, which tests can switch off. */
export class DirectoryServer {
  /** Ends every connection without an answer. */
  broken = false;
  /** Sent with each answer. */
  headers: Readonly<Record<string, string>> = {};
  /** Answers to the question for the statement of a software, by its id, in place of the directory's own. */
  readonly statements = new Map<string, string | (() => Promise<unknown>)>();
  /** Paths that were asked for. */
  readonly asked: string[] = [];

  private constructor(
    readonly directory: Directory,
    private readonly server: FastifyInstance,
    private readonly key: JWK,
    readonly url: string,
  ) {}

  static async start(clock: Clock): Promise<DirectoryServer> {
    const key = await makeSigningKey('PS256');
    const server = fastify();
    let url = '';
    const directory = new Directory(key, () => url, clock);
    const hooks: {
      before?: (path: string) => boolean;
      headers?: () => Readonly<Record<string, string>>;
      statements?: DirectoryServer['statements'];
    } = {};
    server.addHook('onRequest', async (request, reply) => {
      reply.headers({ ...hooks.headers?.() });
      if (hooks.before?.(request.url) === true) return void request.raw.socket.destroy();
      const answer = hooks.statements?.get(/software\/([^/]+)\/statement/.exec(request.url)?.[1] ?? '');
      if (typeof answer === 'string') return reply.send(answer);
      await answer?.();
    });
    await server.register(directoryPaths(directory, 'staff'), { prefix: '/directory' });
    await server.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/directory`;
    const started = new DirectoryServer(directory, server, key, url);
    hooks.statements = started.statements;
    hooks.headers = () => started.headers;
    hooks.before = (path) => {
      started.asked.push(path);
      return started.broken;
    };
    return started;
  }

  get config(): DirectoryConfig {
    return {
      issuer: this.directory.issuer,
      jwks: `${this.url}/jwks.json`,
      statements: `${this.url}/software/{software_id}/statement`,
      bankId: '0015800001041RHAAY',
    };
  }

  /** Any statement, signed as the directory does or by another key. */
  async sign(claims: JWTPayload, key = this.key, alg = 'PS256', header: object = {}): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid: this.key.kid, ...header })
      .sign(await importJWK(key, alg));
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
