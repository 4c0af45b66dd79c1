import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SmallCore {
  /** The value of `CORE_URL`. */
  readonly url: string;
  readonly close: () => void;
}

const acct = {
  key: 'A1',
  prod: 'CUR100',
  ccy: 'GBP',
  label: 'Everyday',
  status: 'OPEN',
  segment: 'P',
  sort: '040004',
  num: '10010117',
  iban: '',
  card: '',
  branch: 'NORTH STREET',
};
const pockets = [{ key: 'P1', label: 'Holidays', saved: 12_34 }];

/** A core that speaks the ledger's protocol. Its one customer has one account, with a branch and a pocket. */
export async function startSmallCore(): Promise<SmallCore> {
  const answers: Readonly<Record<string, unknown>> = {
    '/ping': { up: true },
    '/clients/C1/accts': { accts: [acct] },
    '/clients/C1/accts/A1': { acct },
    '/clients/C1/accts/A1/pockets': { acct, pockets },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { fail: 'NO_PATH' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
