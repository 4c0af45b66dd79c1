import { fastify } from 'fastify';
import { Pool } from 'undici';
import { balancesOf, entriesSearch, envelope, transactionsOf, type Entries, type Figures } from './plain-mapping.js';

/**
 * The practical limit of a gateway on Node: the packages on our gateway's way of a request, the plain application's
 * mapping, and no checks.
 */
const { origin, pathname } = new URL(process.env.CORE_URL ?? '');
const pool = new Pool(origin, { connections: 64 });

async function get<T>(path: string): Promise<T> {
  const { body } = await pool.request({ method: 'GET', path: pathname + path });
  return (await body.json()) as T;
}

interface Asked {
  readonly Params: { readonly customer: string; readonly account: string };
  readonly Querystring: { readonly fromBookingDateTime: string; readonly toBookingDateTime: string };
}

const server = fastify();
server.get('/health/ready', () => ({ status: 'ready' }));
server.get<Asked>('/customers/:customer/accounts/:account/balances', async ({ params: { customer, account } }) => {
  const figures = await get<Figures>(`/clients/${customer}/accts/${account}/figures`);
  return envelope({ Balance: balancesOf(account, figures) }, `/accounts/${account}/balances`);
});
server.get<Asked>('/customers/:customer/accounts/:account/transactions', async ({ params, query }) => {
  const { customer, account } = params;
  const search = new URLSearchParams(entriesSearch(query.fromBookingDateTime, query.toBookingDateTime));
  const entries = await get<Entries>(`/clients/${customer}/accts/${account}/entries?${search}`);
  return envelope({ Transaction: transactionsOf(account, entries) }, `/accounts/${account}/transactions`);
});
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
