import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { Stack } from '../support/stack.js';
import net from 'node:net';
import { appendFileSync } from 'node:fs';
const out = (...a: unknown[]) => appendFileSync('/tmp/probe.out', a.map((x) => typeof x === 'string' ? x : JSON.stringify(x)).join(' ') + '\n');
describe('probe', () => {
  let stack: Stack;
  beforeAll(async () => { const t=Date.now(); stack = await Stack.start(); out('start ms', Date.now()-t); });
  afterAll(() => stack.close());
  const raw = (text: string) => new Promise<string>((res) => {
    const { port } = stack.gateway.server.addresses()[0] as { port: number };
    const s = net.connect(port, '127.0.0.1'); let d = '';
    s.on('data', (c) => { d += c; }); s.on('close', () => res(d)); s.on('error', (e) => res('ERR ' + e));
    s.write(text); setTimeout(() => { s.destroy(); }, 700);
  });
  it('x', async () => {
    const c = await stack.consent({ persona: 'complete' });
    const id = c.accountId('CurrentAccount');
    for (const m of ['HEAD','PUT','PATCH','OPTIONS','TRACE','POST','DELETE','PROPFIND','SEARCH','QUERY','LINK']) {
      try { const a = await stack.ask('/accounts', { method: m, token: c.token }); out(m, a.status, a.headers.allow, a.body.slice(0,80)); } catch (e) { out(m, String(e)); }
    }
    for (const p of ['/accounts/', '/accounts//', `/accounts//balances`, '/!open%2Dbanking/v3.1/aisp/accounts', '/!open%2Dbanking/v3.1/aisp/nothing', '/accounts/%zz', '/%', '/accounts/%00/balances', '/accounts/'+'a'.repeat(16384)+'/balances', '/accounts/x/balances','/Accounts'])
      for (const token of [undefined, c.token]) { const a = await stack.ask(p, { token }); out(p.slice(0,50), !!token, a.status, a.headers['x-fapi-interaction-id'], a.body.slice(0,150)); }
    for (const accept of ['', '*/*', 'application/*', 'text/html', 'application/json;q=0', 'application/json;charset=utf-8','application/json; charset=UTF-8','application/json;charset=iso-8859-1','application/json;q=0, */*','text/html, */*;q=0.1', 'application/json;version=1', 'application/jwt'])
      { const a = await stack.ask('/accounts', { token: c.token, headers: { accept } }); out('accept', accept, a.status); }
    const client = await stack.clientToken();
    for (const [ct, payload] of [['application/json','{}'],['application/json; charset=utf-16','{}'],['application/json; charset=UTF-8','{}'],['text/plain','{}'],[undefined,undefined],['application/json',undefined],['application/json',''],['application/json','{"a"'],['application/json','{"__proto__":{}}'],['application/json','{"Data":{"Permissions":["ReadAccountsBasic"],"constructor":{"prototype":{}}},"Risk":{}}'],['application/json','null'],['application/json','[]'],['application/json','"x"'],['application/json','['.repeat(60000)],['application/json','{"Data":'+'['.repeat(30000)+']'.repeat(30000)+'}'], ['application/json;q=1', '{}'], ['application/problem+json','{}']] as const)
      { const a = await stack.ask('/account-access-consents', { method: 'POST', token: client, headers: ct === undefined ? {} : { 'content-type': ct }, payload }); out('ct', ct ?? 'none', (payload ?? 'none').slice(0,60), a.status, a.body.slice(0,220)); }
    await stack.gateway.listen();
    out(await raw('GARBAGE\r\n\r\n'));
    out(await raw(`GET /open-banking/v3.1/aisp/accounts HTTP/1.1\r\nAuthorization: Bearer ${c.token}\r\n\r\n`));
    out(await raw(`GET http://evil.example/open-banking/v3.1/aisp/accounts HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${c.token}\r\nConnection: close\r\n\r\n`).then(x=>x.slice(0,2000)));
    out(await raw(`GET /open-banking/v3.1/aisp/accounts/${'a'.repeat(16384)}/balances HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${c.token}\r\nConnection: close\r\n\r\n`));
    out(await raw(`GET /open-banking/v3.1/aisp/accounts HTTP/1.1\r\nHost: x\r\nExpect: teapot\r\nAuthorization: Bearer ${c.token}\r\nConnection: close\r\n\r\n`));
    out(await raw(`GET /open-banking/v3.1/aisp/accounts HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n`));
    out(await raw(`CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`));
    out(await raw(`PROPFIND /open-banking/v3.1/aisp/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${c.token}\r\nConnection: close\r\n\r\n`));
    out(await raw(`FOO /open-banking/v3.1/aisp/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${c.token}\r\nConnection: close\r\n\r\n`));
    out(await raw(`OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
    out(await raw(`GET /open-banking/v3.1/aisp/accounts HTTP/2.7\r\nHost: x\r\n\r\n`));
    out(await raw(`POST /open-banking/v3.1/aisp/account-access-consents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client}\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n\r\n`));
    out(await raw(`GET /open-banking/v3.1/aisp/accounts/%zz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${c.token}\r\nConnection: close\r\n\r\n`));
    out('LOG', stack.log.slice(-40).join(''));
  });
});
