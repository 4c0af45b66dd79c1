import { fastify } from 'fastify';
import { importJWK, SignJWT, type JWK, type JWTPayload } from 'jose';
import type { DirectoryConfig } from '../../src/config/config.js';
import { makeSigningKey } from '../../sandbox/bank/issuer.js';
import { Directory } from '../../sandbox/directory/directory.js';
import { directoryPaths } from '../../sandbox/directory/directory-paths.js';
import type { Clock } from '../../src/clock/clock.js';
import { portOf } from '../support/raw-http.js';

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
  readonly directory: Directory;
  private readonly server = fastify();

  private constructor(
    private readonly key: JWK,
    clock: Clock,
  ) {
    this.directory = new Directory(key, () => this.url, clock);
  }

  static async start(clock: Clock): Promise<DirectoryServer> {
    const started = new DirectoryServer(await makeSigningKey('PS256'), clock);
    const { server, statements, directory } = started;
    server.addHook('onRequest', async ({ url, raw }, reply) => {
      reply.headers(started.headers);
      started.asked.push(url);
      if (started.broken) return void raw.socket.destroy();
      const answer = statements.get(/software\/([^/]+)\/statement/.exec(url)?.[1] ?? '');
      if (typeof answer === 'string') return reply.send(answer);
      await answer?.();
    });
    await server.register(directoryPaths(directory, 'staff'), { prefix: '/directory' });
    await server.listen({ host: '127.0.0.1', port: 0 });
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.server)}/directory`;
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
