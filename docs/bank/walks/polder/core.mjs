// A small core as a Dutch bank could have: codes and days are numbers, amounts have no sign, transactions come in pages of 50,
// and only the list of accounts knows whose they are. `node core.mjs 8080` starts it.
import { createServer } from 'node:http';
import { once } from 'node:events';

const day = (n) =>
  Number(new Date(Date.UTC(2019, 0, 1) + n * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''));

// Longer than 70 characters, with letters that a compatible normalisation folds (ﬁ) and a character beyond U+FFFF (𠮷).
const longName = 'Łukasz Żółć, Ofﬁce of 𠮷野家, Wholesale Purveyor of Fruit and Vegetables, Llanfairpwll';

function newBank() {
  const klanten = { 1001: { nummer: 1001, naam: 'Anna de Vries' }, 1002: { nummer: 1002, naam: longName } };
  const r = (rekening, soort, valuta, extra = {}) => ({
    rekening,
    soort,
    valuta,
    status: 1,
    houder: 'P',
    sortcode: '089999',
    extern: '10010010',
    ...extra,
  });
  const rekeningen = [
    r('R-1', 10, 'GBP', { label: 'Huishouden' }),
    r('R-2', 20, 'JPY'),
    r('R-3', 20, 'BHD'),
    r('R-4', 20, 'GBP', { status: 9 }),
    r('R-5', 10, 'GBP'),
    r('R-6', 20, 'GBP'),
    r('R-7', 10, 'GBP', { houder: 'Z', label: 'Ενοίκιο' }),
  ];
  const bezit = { 1001: ['R-1', 'R-2', 'R-3', 'R-4', 'R-5', 'R-6'], 1002: ['R-6', 'R-7'] };
  const stand = '2026-11-20T12:00:17';
  const s = (soort, bedrag, cd = 'C') => ({ soort, bedrag, cd, stand });
  const saldi = {
    'R-1': [s('B', '1234567.89'), { ...s('D', '100.00'), limiet: '50.00' }],
    'R-2': [s('B', '1234', 'D'), { ...s('D', '100'), limiet: '50' }],
    'R-3': [s('B', '1.234'), s('D', '1.234')],
    'R-4': [s('B', '0.00')],
    'R-5': [s('B', '0.00')],
    'R-6': [s('B', '7.00')],
    'R-7': [s('B', '0.05', 'D'), { ...s('D', '0.05', 'D'), limiet: '0.00' }],
  };
  const m = (id, datum, bedrag, cd, extra = {}) => ({
    id,
    datum,
    bedrag,
    cd,
    status: 'V',
    tekst: `BETALING ${id}`,
    ...extra,
  });
  const mutaties = {
    'R-1': [
      m('m-01', 20240229, '5.00', 'D', { rente: 20240229, na: '95.00' }),
      m('m-02', 20260328, '10.00', 'C', { tijd: '2026-03-28T23:10:00', na: '105.00' }),
      m('m-03', 20260329, '1.00', 'D', { tijd: '2026-03-29T03:10:00', na: '104.00' }),
      m('m-04', 20260701, '0.00', 'C', { na: '104.00' }),
      m('m-05', 20261024, '3.00', 'D', { tijd: '2026-10-25T01:10:00.123', na: '101.00' }),
      m('m-06', 20261025, '4.00', 'C', { tijd: '2026-10-25T04:10:00', na: '105.00' }),
      m('m-07', 20261101, '7.00', 'D', { na: '98.00' }),
      m('m-08', 20261101, '8.00', 'D', { na: '90.00' }),
      m('m-12', 20261101, '0.00', 'C', { na: '90.00', tekst: 'RENTE' }),
      m('m-13', 20261101, '0.00', 'C', { na: '90.00', tekst: 'RENTE' }),
      m('m-09', 20261102, '9.00', 'C', { na: '99.00', tekst: '茶館 — Ενοίκιο' }),
      m('m-10', 20261119, '4.00', 'D', { status: 'R', tijd: '2026-11-19T09:00:00' }),
      m('m-11', 20260919, '5.00', 'D', { status: 'R' }),
    ],
    'R-2': [m('j-1', 20260601, '1234', 'C', { na: '1234' })],
    'R-3': [m('b-1', 20260601, '1.234', 'C', { na: '1.234' })],
    'R-4': [],
    'R-5': Array.from({ length: 2_500 }, (_, n) => m(`v-${String(n).padStart(5, '0')}`, day(n), '0.01', 'D')),
    'R-6': [m('g-1', 20260501, '20.00', 'D', { na: '80.00' }), m('g-2', 20260502, '5.00', 'C', { na: '85.00' })],
    'R-7': [m('h-1', 20260501, '0.05', 'D', { na: '-0.05' })],
  };
  return { klanten, rekeningen, bezit, saldi, mutaties };
}

export async function startCore({ port = 0, key = 'sleutel-1' } = {}) {
  const bank = newBank();
  const server = createServer((request, answer) => {
    const url = new URL(request.url, 'http://core');
    const [, what, nr, part] = url.pathname.split('/').map(decodeURIComponent);
    const send = (status, body) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers['x-sleutel'] !== key) return send(401, { fout: 'geen sleutel' });
    if (what === 'levend') return send(200, { levend: 'J' });
    if (what === 'klanten' && part === 'rekeningen')
      return send(200, {
        rekeningen: bank.rekeningen.filter(
          ({ rekening }) => Object.hasOwn(bank.bezit, nr) && bank.bezit[nr].includes(rekening),
        ),
      });
    if (what === 'klanten' && part === undefined)
      return Object.hasOwn(bank.klanten, nr) ? send(200, bank.klanten[nr]) : send(404, { fout: 'onbekende klant' });
    if (what !== 'rekeningen' || !Object.hasOwn(bank.saldi, nr)) return send(404, { fout: 'onbekende rekening' });
    if (part === 'saldi') return send(200, { saldi: bank.saldi[nr] });
    if (part !== 'mutaties') return send(404, { fout: 'onbekend' });
    const van = Number(url.searchParams.get('van') ?? 0),
      tot = Number(url.searchParams.get('tot') ?? 99991231);
    const all = bank.mutaties[nr]
      .filter(({ datum }) => datum >= van && datum <= tot)
      .toSorted((a, b) => b.datum - a.datum);
    const start = Number(url.searchParams.get('vanaf') ?? 0);
    const rows = all.slice(start, start + 50);
    return send(200, { mutaties: rows, ...(start + 50 < all.length && { volgende: String(start + 50) }) });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    bank,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => {});
    },
  };
}
if (process.argv[1] === import.meta.filename)
  console.log((await startCore({ port: Number(process.argv[2] ?? 8080) })).url);
