import type { FastifyInstance, FastifyReply } from 'fastify';
import type { EntrySearch } from './entry-book.js';
import type { FaultState } from './faults.js';
import type { FundsSearch, Ledger, LedgerAccount, LedgerClientBook } from './ledger-accounts.js';
import { listNames } from './ledger.records.js';
import { msOf } from './stamps.js';

interface AccountParams {
  readonly client: string;
  readonly acct: string;
}

/**
 * The core's data paths, registered below `/ledger`. A client sees the accounts that it lists and no others; each read
 * of an account sends the account along. Faults are made here and nowhere else.
 */
export function corePaths(ledger: Ledger, fault: FaultState) {
  return (core: FastifyInstance, _: object, done: () => void): void => {
    core.addHook('onRequest', (request, reply, goOn) => fault.apply(request, reply, goOn));
    core.setNotFoundHandler((_request, reply) => void reply.code(404).send({ fail: 'NO_PATH' }));

    core.get('/ping', (_request, reply) => sendJson(reply, '{"up":true}'));

    core.get<{ Params: { client: string } }>('/clients/:client/accts', (request, reply) =>
      sendJson(reply, ledger.answerAccounts(request.params.client, fault.current === 'partial')),
    );

    const account = (path: string, answer: (account: LedgerAccount, client: LedgerClientBook) => string): void => {
      core.get<{ Params: AccountParams }>(`/clients/:client/accts/:acct${path}`, (request, reply) => {
        const client = ledger.client(request.params.client);
        const found = client?.accounts.get(request.params.acct);
        if (client === undefined || found === undefined) return reply.code(404).send({ fail: 'NO_ACCT' });
        return sendJson(reply, answer(found, client));
      });
    };
    account('', (found) => found.answerAccount());
    account('/person', (found, client) => found.answerPerson(client.person));
    for (const name of listNames) account(`/${name}`, (found) => found.answerList(name, fault.current === 'partial'));

    searchPaths(core, ledger, fault);
    done();
  };
}

/** The paths that take a search. */
function searchPaths(core: FastifyInstance, ledger: Ledger, fault: FaultState): void {
  core.get<{ Querystring: Record<string, unknown> }>('/accts', ({ query: { form, id } }, reply) =>
    (form === 'UKACC' || form === 'IBAN') && typeof id === 'string'
      ? sendJson(reply, ledger.answerFound(form, id))
      : reply.code(400).send({ fail: 'BAD_SEARCH' }),
  );

  /** Answers a search in one of the client's accounts. */
  const searched = <Search>(
    path: string,
    read: (query: Record<string, unknown>) => Search | undefined,
    answer: (account: LedgerAccount, search: Search) => string | Buffer,
  ): void => {
    core.get<{ Params: AccountParams; Querystring: Record<string, unknown> }>(
      `/clients/:client/accts/:acct${path}`,
      (request, reply) => {
        const found = ledger.client(request.params.client)?.accounts.get(request.params.acct);
        if (found === undefined) return reply.code(404).send({ fail: 'NO_ACCT' });
        const search = read(request.query);
        if (search === undefined) return reply.code(400).send({ fail: 'BAD_SEARCH' });
        return sendJson(reply, answer(found, search));
      },
    );
  };
  searched('/entries', entrySearch, (found, search) => found.answerEntries(search, fault.current === 'partial'));
  searched('/funds', fundsSearch, (found, search) => found.answerFunds(search));
}

function sendJson(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.header('content-type', 'application/json').send(body);
}

/** `undefined` where a parameter cannot be read: a search that was not understood must not answer. */
function entrySearch(query: Record<string, unknown>): EntrySearch | undefined {
  const { take, toward, side, state, since, until, past, pastKey } = query;
  const times = [since, until, past].filter((time) => time !== undefined);
  const limit = Number(take);
  const understood =
    typeof take === 'string' &&
    Number.isInteger(limit) &&
    limit >= 1 &&
    limit <= 1000 &&
    (toward === 'OLD' || toward === 'NEW') &&
    (side === undefined || side === 'CR' || side === 'DR') &&
    (state === undefined || state === 'POSTED') &&
    times.every((time) => typeof time === 'string' && !Number.isNaN(msOf(time))) &&
    (past === undefined) === (pastKey === undefined);
  if (!understood) return undefined;
  return {
    sinceMs: typeof since === 'string' ? msOf(since) : undefined,
    untilMs: typeof until === 'string' ? msOf(until) : undefined,
    side,
    postedOnly: state === 'POSTED',
    toward,
    past: typeof past === 'string' && typeof pastKey === 'string' ? { atMs: msOf(past), key: pastKey } : undefined,
    take: limit,
  };
}

function fundsSearch({ amt, ccy, arranged }: Record<string, unknown>): FundsSearch | undefined {
  const understood =
    typeof amt === 'string' &&
    /^\d{1,18}$/.test(amt) &&
    typeof ccy === 'string' &&
    (arranged === 'Y' || arranged === 'N');
  return understood ? { amount: BigInt(amt), ccy, withArranged: arranged === 'Y' } : undefined;
}
