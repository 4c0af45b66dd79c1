import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../test/support/fake-clock.js';
import { Inbox } from './inbox.js';
import { makeIssuerKeys } from './issuer.js';
import type { Persona } from './personas/persona.js';
import { makePersonas } from './personas/personas.js';
import { type SandboxBank, startSandboxBank } from './sandbox-bank.js';
import { codeLifeMs, SignOn, signOnOf, ticketLifeMs } from './sign-on.js';

const now = Date.parse('2026-11-20T14:30:00.000Z');
const personas = makePersonas(now);
const amelia = personas[0] as Persona;
const { loginName, password } = signOnOf(amelia);

describe('signing on', () => {
  function open() {
    const [inbox, clock] = [new Inbox(), new FakeClock(now)];
    return { inbox, clock, signOn: new SignOn(personas, inbox, clock) };
  }

  it('works for each persona with their own name and password', () => {
    const { inbox, signOn } = open();
    for (const persona of personas) {
      const own = signOnOf(persona);
      const ticket = signOn.begin(own.loginName, own.password);
      expect(signOn.prove(ticket, inbox.messages(own.loginName)[0]?.code ?? '')).toEqual({ persona, atMs: now });
    }
    const passwords = personas.map((persona) => signOnOf(persona).password);
    expect(new Set(passwords).size).toBe(personas.length);
  });

  it('sends a code for a right password only', () => {
    const { inbox, signOn } = open();
    signOn.begin(loginName, 'wrong');
    signOn.begin(loginName, '');
    signOn.begin('unknown', '');
    expect(inbox.messages()).toEqual([]);
    signOn.begin(loginName, password);
    expect(inbox.messages()).toEqual([
      {
        loginName: 'complete',
        displayName: 'Amelia Hart',
        code: expect.stringMatching(/^\d{6}$/),
        sentAtMs: now,
        goodUntilMs: now + codeLifeMs,
      },
    ]);
  });

  const lastCode = (inbox: Inbox) => inbox.messages()[0]?.code ?? '';
  /** Six digits that are not the code. */
  const not = (code: string) => (code === '000000' ? '111111' : '000000');

  it('takes a code for the ticket that it was sent with, once, until the code ends', () => {
    const { inbox, clock, signOn } = open();
    const begin = () => ({ ticket: signOn.begin(loginName, password), code: lastCode(inbox) });
    const [first, second] = [begin(), begin()];
    clock.advance(codeLifeMs - 1);
    expect(signOn.prove(first.ticket, first.code)).toEqual({ persona: amelia, atMs: now + codeLifeMs - 1 });
    expect(signOn.prove(first.ticket, first.code)).toBe('expired');
    clock.advance(1);
    expect(signOn.prove(second.ticket, second.code)).toBe('expired');
  });

  it('accepts the right code after two wrong ones, and refuses it after three', () => {
    const { inbox, signOn } = open();
    const begin = () => ({ ticket: signOn.begin(loginName, password), code: lastCode(inbox) });
    const [first, second] = [begin(), begin()];
    for (let wrong = 0; wrong < 2; wrong++) expect(signOn.prove(first.ticket, not(first.code))).toBe('wrong');
    expect(signOn.prove(first.ticket, first.code)).toEqual({ persona: amelia, atMs: expect.any(Number) });
    for (let wrong = 0; wrong < 3; wrong++) expect(signOn.prove(second.ticket, not(second.code))).toBe('wrong');
    expect(signOn.prove(second.ticket, second.code)).toBe('wrong');
  });

  it('sends a new code without the password after a mistyped or expired one, until the ticket ends', () => {
    const { inbox, clock, signOn } = open();
    let ticket = signOn.begin(loginName, password);
    const former = { ticket, code: lastCode(inbox) };
    for (let wrong = 0; wrong < 3; wrong++) signOn.prove(ticket, not(former.code));
    clock.advance(codeLifeMs);
    ticket = signOn.sendAgain(ticket) ?? '';
    expect(signOn.prove(former.ticket, former.code)).toBe('expired');
    expect(signOn.sendAgain(former.ticket)).toBeUndefined();
    expect(inbox.messages(loginName)).toHaveLength(2);
    const next = signOn.sendAgain(ticket) ?? '';
    expect(signOn.prove(next, lastCode(inbox))).toEqual({ persona: amelia, atMs: expect.any(Number) });

    const late = signOn.begin(loginName, password);
    clock.advance(ticketLifeMs);
    expect(signOn.sendAgain(late)).toBeUndefined();
  });

  it('answers a wrong password at each step like a right one, and sends nothing', () => {
    const { inbox, clock, signOn } = open();
    const ticket = signOn.begin(loginName, 'wrong');
    expect(signOn.prove(ticket, '000000')).toBe('wrong');
    const next = signOn.sendAgain(ticket) ?? '';
    expect(next).toMatch(/^[\w-]{43}$/);
    expect(signOn.prove(next, '000000')).toBe('wrong');
    clock.advance(codeLifeMs);
    expect([signOn.prove(next, '000000'), inbox.messages()]).toEqual(['expired', []]);
  });

  it('keeps a thousand tickets and fifty messages, the newest', () => {
    const { inbox, signOn } = open();
    const oldest = signOn.begin(loginName, password);
    const code = inbox.messages()[0]?.code ?? '';
    const next = signOn.begin(loginName, password);
    const nextCode = inbox.messages()[0]?.code ?? '';
    for (let more = 0; more < 999; more++) signOn.begin(loginName, password);
    expect(signOn.prove(oldest, code)).toBe('expired');
    expect(signOn.prove(next, nextCode)).toEqual({ persona: amelia, atMs: expect.any(Number) });
    expect(inbox.messages()).toHaveLength(50);
  });
});

describe('over HTTP', () => {
  let bank: SandboxBank;
  const clock = new FakeClock(now);
  beforeAll(async () => {
    const issuerKeys = await makeIssuerKeys();
    const spiteful: Persona = { ...amelia, name: 'a&b', person: { key: 'C9', name: '<script>alert(1)</script>' } };
    const people = () => [amelia, spiteful];
    bank = await startSandboxBank({
      port: 0,
      credential: 'staff',
      signOnCredential: 'sign-on',
      issuerKeys,
      clock,
      makePersonas: people,
    });
  });
  afterAll(() => bank.close());

  const post = (path: string, body: unknown, credential = 'sign-on') =>
    fetch(bank.signOnUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
      body: JSON.stringify(body),
    });

  it('needs the sign-on credential, which the staff credential does not replace', async () => {
    for (const credential of ['staff', 'wrong', '']) {
      expect((await post('/tickets', { user: loginName, pass: password }, credential)).status).toBe(401);
      expect((await post('/proofs', { ticket: 'x', code: 'x' }, credential)).status).toBe(401);
      expect((await post('/codes', { ticket: 'x' }, credential)).status).toBe(401);
    }
    const headers = { authorization: 'Bearer sign-on' };
    expect((await fetch(`${bank.url}/admin/personas`, { headers })).status).toBe(401);
  });

  it.each([null, {}, { user: 'x' }, { user: 'x', pass: 7 }, { user: 'x'.repeat(201), pass: 'x' }])(
    'refuses to begin with %j',
    async (body) => {
      expect((await post('/tickets', body)).status).toBe(400);
    },
  );

  it('is not served without a credential', async () => {
    const closed = await startSandboxBank({ port: 0, credential: 'x', issuerKeys: await makeIssuerKeys() });
    expect((await fetch(closed.inboxUrl)).status).toBe(404);
    expect((await fetch(`${closed.signOnUrl}/tickets`, { method: 'POST' })).status).toBe(404);
    await closed.close();
  });

  it('shows the codes in an inbox, newest first, for all or for one, with nothing that a name could break', async () => {
    const page = async (query = '') => (await fetch(bank.inboxUrl + query)).text();
    expect(await page()).toContain('No code has been sent yet');
    await post('/tickets', { user: loginName, pass: password });
    await post('/tickets', { user: 'a&b', pass: 'sandbox-a&b' });
    const recipients = (text: string) => [...text.matchAll(/<small>\((.*?)\)<\/small>/g)].map(([, name]) => name);
    expect(recipients(await page())).toEqual(['a&amp;b', 'complete']);
    expect(recipients(await page('?to=complete'))).toEqual(['complete']);
    expect(recipients(await page('?to=%3Cscript%3E'))).toEqual([]);
    expect(await page('?to=%3Cscript%3E')).not.toContain('<script');
    expect(await page()).not.toContain('<script');
    expect(await page()).toContain('valid until');
    clock.advance(codeLifeMs);
    expect(await page()).toContain('expired');
  });

  it('lets the inbox load its own style sheet and icon and nothing else', async () => {
    const { headers } = await fetch(bank.inboxUrl);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'none'; form-action 'self'; " +
        "frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    const style = await fetch(`${bank.inboxUrl}/style.css`);
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  });
});
