import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorisationSetting } from '../authorisation/setting.js';
import { text } from '../authorisation/browser.js';
import { embeddedIssuer } from '../../src/open-banking/tpp-id.js';
import { Stack } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';

describe('The bank’s list of a customer’s consents', () => {
  let stack: Stack;
  let list: string;
  const newestFirst: string[] = [];
  beforeAll(async () => {
    stack = await Stack.start();
    for (let index = 0; index < 7; index++) {
      const { consentId, customerRef } = await stack.consent({ persona: 'saver' });
      newestFirst.unshift(consentId);
      list = `/customers/${customerRef}/consents`;
      stack.clock.advance(1_000);
    }
  });
  afterAll(() => stack.close());

  const page = async (query: string): Promise<{ ids: readonly string[]; next?: string }> => {
    const { json } = await stack.report(`${list}${query}`);
    const ids = json.Consents.map(({ ConsentId }: { ConsentId: string }) => ConsentId);
    return { ids, ...(json.NextCursor !== undefined && { next: json.NextCursor }) };
  };

  it('has all consents, newest first, on one page that is long enough', async () => {
    expect(await page('')).toEqual({ ids: newestFirst });
    expect(await page(`?limit=${newestFirst.length}`)).toEqual({ ids: newestFirst });
  });

  it('comes in pages that a consent which is added meanwhile does not move', async () => {
    const first = await page('?limit=3');
    const added = await stack.consent({ persona: 'saver' });
    const second = await page(`?limit=3&cursor=${first.next}`);
    const third = await page(`?limit=3&cursor=${second.next}`);
    expect([first.ids, second.ids, third.ids]).toEqual([
      newestFirst.slice(0, 3),
      newestFirst.slice(3, 6),
      newestFirst.slice(6),
    ]);
    expect(third.next).toBeUndefined();
    expect((await page('?limit=1')).ids).toEqual([added.consentId]);
    newestFirst.unshift(added.consentId);
  });

  const encoded = (text: string): string => Buffer.from(text).toString('base64url');
  const noCursor = 'cursor is not a NextCursor of this list, or it is older than a day: begin with the first page.';
  it.each([
    ['?limit=0', 'limit must be a number from 1 to 1000.'],
    ['?limit=1001', 'limit must be a number from 1 to 1000.'],
    ['?limit=ten', 'limit must be a number from 1 to 1000.'],
    ['?limit=1&limit=2', 'limit must be given once.'],
    ['?limit=1.5', 'limit must be a number from 1 to 1000.'],
    ['?cursor=', 'cursor does not have the form of this parameter: `NextCursor` of the page before.'],
    ['?cursor=aaaa', noCursor],
    [`?cursor=${encoded('1.1.1.a\0b')}`, noCursor],
    [`?cursor=${encoded('0.1.1.aac-of-an-earlier-release')}`, noCursor],
    ['?page=2', 'The query has a parameter that this operation does not have.'],
  ])('refuses %s', async (query, message) => {
    const { status, json } = await stack.report(`${list}${query}`);
    expect([status, json.Errors[0].Message]).toEqual([400, message]);
  });

  it('accepts a cursor whose consent no longer exists', async () => {
    const nowMs = stack.clock.nowMs();
    expect((await page(`?limit=1&cursor=${encoded(`1.${nowMs}.${nowMs + 1_000}.aac-gone`)}`)).ids).toHaveLength(1);
  });

  it('gives cursors that end after a day', async () => {
    const { next } = await page('?limit=3');
    stack.clock.advance(86_400_000);
    expect((await page(`?limit=3&cursor=${next}`)).ids).toHaveLength(3);
    stack.clock.advance(1);
    const { status, json } = await stack.report(`${list}?limit=3&cursor=${next}`);
    expect([status, json.Errors[0].Message]).toEqual([400, noCursor]);
  });
});

describe('The access dashboard of a customer with many accesses', () => {
  const database = new WatchedDatabase();
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ persistence: database.module });
    const { registration } = await setting.stranger('tpp');
    for (let index = 0; index < 53; index++) {
      const clientId = `client-${index}`;
      await setting.server.tpps.save({ ...registration, clientId, name: `tpp-${index}-` });
      const { consentId } = await setting.stack.consent({ persona: 'saver', clientId });
      // The oldest of them are in the past.
      if (index < 2) await setting.stack.report(`/consents/${consentId}/revoke`, {});
    }
    // The names are those of TPPs of the embedded authorization server.
    await database.prisma.consent.updateMany({ data: { issuer: embeddedIssuer } });
  });
  afterAll(() => setting.close());

  it('shows fifty of each kind, the newest first, and links to the others', async () => {
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open('/as/dashboard'), 'saver');
    const shown = (html: string): string[] => [...new Set(text(html).match(/tpp-\d+-/g))];
    const names = (from: number, to: number): string[] =>
      Array.from({ length: from - to + 1 }, (_, index) => `tpp-${from - index}-`);
    expect(shown(page.html)).toEqual([...names(52, 3), 'tpp-1-', 'tpp-0-']);
    const address = /href="([^"]*current=[^"]*)"[^>]*>Show more current access/.exec(page.html)?.[1] ?? '';
    expect(page.html).not.toContain('Show earlier past access');
    const second = await browser.open(address.replaceAll('&amp;', '&'));
    expect(shown(second.html)).toEqual(['tpp-2-', 'tpp-1-', 'tpp-0-']);
    expect(second.html).not.toContain('Show more');
  });

  it('reads each list once, and the names of each list once', async () => {
    const browser = setting.browser();
    await setting.signIn(browser, await browser.open('/as/dashboard'), 'saver');
    database.statements.length = 0;
    const { html } = await browser.open('/as/dashboard');
    const count = (pattern: RegExp): number => database.statements.filter((one) => pattern.test(one)).length;
    expect([count(/^tpp\.findMany$/), count(/FROM consents \?$/)]).toEqual([2, 2]);
    expect(html).not.toContain('client-');
  });

  it('shows the first page for an invalid cursor', async () => {
    const browser = setting.browser();
    await setting.signIn(browser, await browser.open('/as/dashboard'), 'saver');
    expect(text((await browser.open('/as/dashboard?current=x&past=%00')).html)).toContain('tpp-52-');
  });
});
