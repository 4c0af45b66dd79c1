import type { DynamicModule } from '@nestjs/common';
import type { DatabaseConfig } from '../../src/config/database-config.js';
import type { Database } from '../../src/persistence/database.js';
import { PersistenceModule } from '../../src/persistence/persistence.module.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { openDatabase } from './lent-pglite.js';

/** A gateway's database that reports each statement to the test, and that fails from the moment when the test sets it. */
export class WatchedDatabase {
  /** Refuses every statement from now on. */
  failing = false;
  /** Called before each statement. The statement waits for the promise that it returns. */
  before: (statement: string) => Promise<unknown> | undefined = () => undefined;
  /** Each statement's model and operation, or the text of a raw statement. */
  readonly statements: string[] = [];
  private opened: PrismaService | undefined;

  /** @param message of the errors */
  constructor(private readonly message = 'the test says that the database is unreachable') {}

  readonly module = (config: DatabaseConfig): DynamicModule =>
    PersistenceModule.register(async () => {
      this.opened = await openDatabase(config);
      const database = { value: this.health(this.opened.database) };
      return this.around(Object.create(this.opened, { database }) as PrismaService);
    });

  /** Not reported to the test. */
  get prisma(): PrismaService {
    if (this.opened === undefined) throw new Error('the database is not open');
    return this.opened;
  }

  private around<Client extends object>(prisma: Client): Client {
    return new Proxy(prisma, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name === '$transaction' && typeof value === 'function')
          return (work: unknown, ...options: unknown[]) =>
            value.call(target, typeof work === 'function' ? this.whole(work as Work) : work, ...options) as unknown;
        if (name === '$queryRaw' || name === '$executeRaw')
          return (sql: TemplateStringsArray, ...values: unknown[]) =>
            this.heard(sql.join('?'), () => (value as (...given: unknown[]) => unknown).call(target, sql, ...values));
        if (isModel(value)) return this.model(String(name), value);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** Questions about its health fail too, and are not reported to the test. */
  private health(database: Database): Database {
    const asked = (ask: 'ping' | 'read') => () =>
      this.failing ? Promise.reject(new Error(this.message)) : database[ask]();
    return { ...database, ping: asked('ping'), read: asked('read') };
  }

  /** Each statement of the transaction, and at last its commit. */
  private whole(work: Work): Work {
    return async (transaction) => {
      const done = await work(this.around(transaction));
      await this.heard('commit', () => undefined);
      return done;
    };
  }

  private model(name: string, model: object): object {
    return new Proxy(model, {
      get: (target, operation) => {
        const value: unknown = Reflect.get(target, operation);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) =>
          this.heard(`${name}.${String(operation)}`, () => (value as (...args: unknown[]) => unknown)(...given));
      },
    });
  }

  private heard(statement: string, run: () => unknown): unknown {
    this.statements.push(statement);
    if (this.failing) return Promise.reject(new Error(this.message));
    const waited = this.before(statement);
    return waited === undefined ? run() : waited.then(run);
  }
}

type Work = (transaction: object) => Promise<unknown>;

function isModel(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'findMany' in value;
}
