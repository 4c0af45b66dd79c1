import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../../../src/clock/clock.js';
import {
  accountsJson,
  clientJson,
  instructionJson,
  productJson,
  resultSetJson,
  savingsAccountJson,
  toJson,
  transactionJson,
} from './fineract.json.js';
import type { DataTable, FineractModel, SavingsRow, TransactionRow } from './fineract.model.js';

export interface StubOptions {
  readonly model: FineractModel;
  readonly clock: Clock;
  /** Permissions that the user lacks, e.g. `READ_CLIENT`. */
  readonly denied?: readonly string[];
}

type Handled = 'handled' | 'not handled';
type Interception = (request: IncomingMessage, response: ServerResponse, url: URL) => Handled | Promise<Handled>;

/** The requests of the adapter, for tests. */
export interface ReceivedCall {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/**
 * Speaks the REST shapes of Apache Fineract as its source defines them, as far as the adapter asks, with its quirks: see
 * fineract-stub.spec.ts, one test each. Kept in memory; nothing of Fineract's writing side.
 */
export class FineractStub {
  readonly calls: ReceivedCall[] = [];
  /** Answers in Fineract's place. */
  intercept?: Interception;
  /** Access tokens that are good, besides the user's password. */
  readonly tokens = new Set<string>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly options: Required<StubOptions>,
    private readonly server = createServer(),
  ) {
    server.on('request', (request, response) => void this.serve(request, response));
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static async start(options: StubOptions): Promise<FineractStub> {
    const stub = new FineractStub({ denied: [], ...options });
    stub.server.listen(0, '127.0.0.1');
    await once(stub.server, 'listening');
    return stub;
  }

  get model(): FineractModel {
    return this.options.model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/fineract-provider/api`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fineract');
    const path = url.pathname.replace('/fineract-provider/api', '');
    this.calls.push({ path, query: url.searchParams, headers: request.headers });
    response.setHeader('date', new Date(this.options.clock.nowMs()).toUTCString());
    if ((await this.intercept?.(request, response, url)) === 'handled') return;
    try {
      this.admit(request, url);
      const body = this.answer(path, url.searchParams);
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(typeof body === 'string' ? body : toJson(body));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response.writeHead(error.status, { 'content-type': 'application/json' }).end(JSON.stringify(error.body));
    }
  }

  /** `TenantAwareBasicAuthenticationFilter`: first the tenant, then the user. */
  private admit(request: IncomingMessage, url: URL): void {
    const tenant = request.headers['fineract-platform-tenantid'] ?? url.searchParams.get('tenantIdentifier');
    // `sendError`: the body of the servlet container.
    if (tenant !== 'bank') throw new Refusal(400, { status: 400, error: 'Bad Request', path: url.pathname });
    const [scheme, credential = ''] = (request.headers.authorization ?? '').split(' ');
    const known =
      scheme === 'Basic'
        ? Buffer.from(credential, 'base64').toString() === 'gateway:core-password'
        : scheme === 'Bearer' && this.tokens.has(credential);
    if (!known) throw new Refusal(401, platformError(401, 'error.msg.not.authenticated', []));
  }

  private answer(path: string, query: URLSearchParams): unknown {
    const [, client, accounts] = /^\/v1\/clients\/(\w+)(\/accounts)?$/.exec(path) ?? [];
    if (client !== undefined) {
      this.allow('READ_CLIENT');
      const row = this.model.clients.find(({ id }) => id === long(client));
      if (row === undefined) throw notFound('error.msg.client.id.invalid', 'Client');
      return accounts === undefined ? clientJson(row) : accountsJson(this.model, row.id);
    }
    const [, account, search] = /^\/v1\/savingsaccounts\/(\w+)(\/transactions\/search)?$/.exec(path) ?? [];
    if (account !== undefined) {
      this.allow('READ_SAVINGSACCOUNT');
      if (search !== undefined) return this.search(long(account), query);
      return savingsAccountJson(this.model, this.savingsAccount(long(account)));
    }
    const [, product] = /^\/v1\/savingsproducts(?:\/(\w+))?$/.exec(path) ?? [];
    if (product !== undefined) {
      this.allow('READ_SAVINGSPRODUCT');
      const row = this.model.products.find(({ id }) => id === long(product));
      if (row === undefined) throw notFound('error.msg.savingsproduct.id.invalid', 'Savings product');
      return productJson(row);
    }
    if (path === '/v1/savingsproducts') {
      this.allow('READ_SAVINGSPRODUCT');
      return this.model.products.map((row) => (query.get('fields') === 'id' ? { id: row.id } : productJson(row)));
    }
    if (path === '/v1/standinginstructions') return this.instructions(query);
    const [, queried] = /^\/v1\/datatables\/([^/]+)\/query$/.exec(path) ?? [];
    if (queried !== undefined) return this.queryTable(decodeURIComponent(queried), query);
    const [, table, entity] = /^\/v1\/datatables\/([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (table !== undefined && entity !== undefined)
      return this.dataTable(decodeURIComponent(table), long(entity), query);
    throw notFound('error.msg.resource.unknown', 'Path');
  }

  private allow(permission: string): void {
    if (this.options.denied.includes(permission))
      throw new Refusal(403, platformError(403, 'error.msg.not.authorized', ['error.msg.not.authorized']));
  }

  private savingsAccount(id: number): SavingsRow {
    const row = this.model.accounts.find((account) => account.id === id);
    // `retrieveOne` finds savings accounts only.
    if (row === undefined || (row.depositType ?? 100) !== 100)
      throw notFound('error.msg.saving.account.id.invalid', 'Savings account');
    return row;
  }

  /** `SavingsAccountTransactionsSearchServiceImpl`: an account that is not there has no transactions, and is not an error. */
  private search(accountId: number, query: URLSearchParams): unknown {
    const account = this.model.accounts.find(({ id }) => id === accountId);
    const dateFormat = query.get('dateFormat');
    const range = (name: string): string | undefined => {
      const value = query.get(name) ?? undefined;
      if (value !== undefined && (dateFormat !== 'yyyy-MM-dd' || !/^\d{4}-\d\d-\d\d$/.test(value)))
        throw new Refusal(
          400,
          platformError(400, 'validation.msg.invalid.date.format', ['validation.msg.invalid.date.format']),
        );
      return value;
    };
    const order = orderOf(query);
    const [from, to] = [range('fromSubmittedDate'), range('toSubmittedDate')];
    const types = query.get('types')?.split(',').map(Number);
    const number = Number(query.get('offset') ?? 0);
    const size = Number(query.get('limit') ?? 50);
    const sorted = (account?.transactions ?? [])
      .toSorted(order)
      .filter(
        ({ isReversal, type, submittedOnDate }) =>
          isReversal !== true &&
          types?.includes(type) !== false &&
          (from === undefined || submittedOnDate >= from) &&
          (to === undefined || submittedOnDate <= to),
      );
    // `LEFT JOIN m_note`, before LIMIT and COUNT(*).
    const joined = sorted.flatMap((row) =>
      (row.notes?.length ? row.notes : [undefined]).map((note) => ({ row, note })),
    );
    const content = joined.slice(number * size, (number + 1) * size);
    return {
      total: joined.length,
      content: content.map(({ row, note }) => transactionJson(account as SavingsRow, row, note)),
      pageable: { page: number, size, sort: { orders: [] } },
    };
  }

  /** `StandingInstructionReadPlatformServiceImpl.retrieveAll`: without a client or a type of transfer, no `where`. */
  private instructions(query: URLSearchParams): unknown {
    this.allow('READ_STANDINGINSTRUCTION');
    const [clientId, fromAccountId, transferType] = ['clientId', 'fromAccountId', 'transferType'].map((name) => {
      const value = query.get(name);
      return value === null ? undefined : Number(value);
    });
    if (clientId === undefined && transferType === undefined && fromAccountId !== undefined)
      throw new Refusal(500, { status: 500, error: 'Internal Server Error' });
    const rows = this.model.instructions.filter(
      (row) =>
        (clientId === undefined ||
          this.model.accounts.find(({ id }) => id === row.fromAccountId)?.clientId === clientId) &&
        (fromAccountId === undefined || row.fromAccountId === fromAccountId) &&
        (transferType === undefined || (row.transferType ?? 1) === transferType),
    );
    // Here `offset` counts rows.
    const offset = Number(query.get('offset') ?? 0);
    // Without `order by` a database may give each page in another order.
    const byId = query.get('orderBy') === 'id' && query.get('sortOrder') === 'ASC';
    rows.sort((a, b) => (byId || offset === 0 ? a.id - b.id : b.id - a.id));
    const limit = Number(query.get('limit') ?? 200);
    return {
      totalFilteredRecords: rows.length,
      pageItems: rows.slice(offset, offset + limit).map((row) => instructionJson(this.model, row)),
    };
  }

  /** `DatatableReadServiceImpl.queryDataTable`: rows of any entity, by one column, with the named columns only. */
  private queryTable(name: string, query: URLSearchParams): unknown {
    const { columns, rows } = this.table(name);
    const index = (column: string | null): number => {
      const found = columns.indexOf(column ?? '');
      if (found < 0)
        throw new Refusal(400, platformError(400, 'error.msg.invalid.column', ['error.msg.invalid.column']));
      return found;
    };
    const filter = index(query.get('columnFilter'));
    const wanted = (query.get('resultColumns') ?? '').split(',').map((column) => [column, index(column)] as const);
    return [...rows.values()]
      .flat()
      .filter((row) => row[filter] === query.get('valueFilter'))
      .map((row) => Object.fromEntries(wanted.map(([column, at]) => [column, row[at]])));
  }

  private table(name: string): DataTable {
    const table = this.model.tables.get(name);
    if (table === undefined) throw notFound('error.msg.datatable.not.found', 'Datatable');
    this.allow(`READ_${name}`);
    return table;
  }

  private dataTable(name: string, entityId: number, query: URLSearchParams): unknown {
    const table = this.table(name);
    const rows = table.rows.get(entityId) ?? [];
    // Fineract would write JSON by hand otherwise, which a backslash breaks.
    if (query.get('genericResultSet') !== 'true') throw new Refusal(501, {});
    return resultSetJson(table, rows);
  }
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {
    super(`answers ${status}`);
  }
}

/** `ApiGlobalErrorResponse`. */
function platformError(status: number, code: string, codes: readonly string[]): object {
  const message = 'The requested resource of customer 4711 cannot be given.';
  return {
    developerMessage: message,
    httpStatusCode: String(status),
    defaultUserMessage: message,
    userMessageGlobalisationCode: code,
    errors: codes.map((one) => ({
      developerMessage: message,
      defaultUserMessage: message,
      userMessageGlobalisationCode: one,
      parameterName: 'id',
      args: [{ value: 4711 }],
    })),
  };
}

function notFound(code: string, what: string): Refusal {
  return new Refusal(404, { ...platformError(404, 'error.msg.resource.not.found', [code]), developerMessage: what });
}

/** A `Long` path parameter: JAX-RS answers 404 to anything else. */
function long(text: string): number {
  if (!/^-?\d{1,19}$/.test(text)) throw new Refusal(404, { status: 404, error: 'Not Found' });
  return Number(text);
}

/** By the named columns in one direction. */
function orderOf(query: URLSearchParams): (a: TransactionRow, b: TransactionRow) => number {
  const columns = query.get('orderBy')?.split(',');
  const sign = query.get('sortOrder') === 'ASC' ? 1 : -1;
  if (columns === undefined || !query.has('sortOrder'))
    throw new Refusal(500, { status: 500, error: 'Internal Server Error' });
  if (!columns.every((name) => ['submittedOnDate', 'id'].includes(name)))
    throw new Refusal(400, platformError(400, 'validation.msg.validation.errors.exist', ['error.msg.invalid.column']));
  const keyOf = ({ submittedOnDate, id }: TransactionRow) =>
    columns.map((name) => (name === 'id' ? id : submittedOnDate));
  return (a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    const at = left.findIndex((value, index) => value !== right[index]);
    return at < 0 ? 0 : sign * ((left[at] as number) < (right[at] as number) ? -1 : 1);
  };
}
