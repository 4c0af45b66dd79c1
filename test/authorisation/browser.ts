import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetch, type Agent } from 'undici';
import { routedAgent, type Ports } from './routed-agent.js';

const reloadsAfterMs = 50;

export interface Page {
  readonly status: number;
  readonly url: URL;
  readonly html: string;
  readonly headers: Headers;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A browser without JavaScript. It keeps cookies by their paths. Unless a test says otherwise, it follows redirects up to the
 * first one that leaves the bank, and loads a page again that asks for it.
 */
export class Browser {
  private cookies: Cookie[] = [];
  /** Every `Set-Cookie` line that came, in order. */
  readonly cookieLines: string[] = [];
  /** The headers that a proxy adds to each request. */
  headers: Readonly<Record<string, string>> = {};
  /** Which redirects it follows. */
  follows: (url: URL) => boolean = (url) => url.origin === new URL(this.bank).origin;
  /** Whether it loads a page with the header `Refresh` again, sooner than the header says. */
  refreshes = true;
  private agent: Agent;

  /** @param bank origin of the pages */
  constructor(
    readonly bank: string,
    private readonly ca: string,
  ) {
    this.agent = routedAgent({ ca });
  }

  /** From now on a balancer sends everything to another process. */
  async sendTo(ports: Ports): Promise<void> {
    await this.agent.destroy();
    this.agent = routedAgent({ ca: this.ca }, ports);
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  /** The page at the end of the redirects; one at another origin is not fetched but given with its address. */
  open(url: URL | string): Promise<Page> {
    return this.follow(new URL(url, this.bank));
  }

  /** The cookie of this name, set by the bank or planted by the test. */
  cookie(name: string): string | undefined {
    return this.cookies.find((cookie) => cookie.name === name)?.value;
  }

  plant(cookie: Cookie): void {
    this.cookies = [...this.cookies.filter(({ name }) => name !== cookie.name), cookie];
  }

  /**
   * Posts the page's form with its hidden fields and the given fields; `undefined` removes a field.
   * @param to how the action of the form ends, where it is not the page's first one
   */
  submit(page: Page, given: Fields = {}, to = ''): Promise<Page> {
    return this.follow(...this.formOf(page, given, to));
  }

  /** The address and the fields of the post that {@link submit} sends. */
  formOf(page: Page, given: Fields = {}, to = ''): [URL, URLSearchParams] {
    const forms = [...page.html.matchAll(/<form[^>]*\baction="([^"]*)"[\s\S]*?(?:<\/form>|$)/g)];
    const [form = '', action] = forms.find(([, place]) => place?.endsWith(to)) ?? [];
    if (action === undefined) throw new Error(`no form on ${page.url.pathname} (${page.status}): ${text(page.html)}`);
    const hidden = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      /\bname="([^"]*)"/.exec(input)?.[1] ?? '',
      /\bvalue="([^"]*)"/.exec(input)?.[1] ?? '',
    ]);
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...Object.fromEntries(hidden), ...given }))
      for (const one of value === undefined ? [] : [value].flat()) body.append(name, one as string);
    return [new URL(unescape(action), page.url), body];
  }

  /** The status of a post. The browser drops the answer, with its cookies and wherever it leads. */
  async post(url: URL, body: URLSearchParams): Promise<number> {
    return (await this.send(url, body)).status;
  }

  private async send(url: URL, body: URLSearchParams | undefined): Promise<Page> {
    const answer = await fetch(url, {
      ...(body && { method: 'POST', body }),
      dispatcher: this.agent,
      redirect: 'manual',
      headers: { cookie: this.cookiesFor(url.pathname), accept: 'text/html', ...this.headers },
    });
    const { status, headers } = answer;
    return { status, url, html: await answer.text(), headers: headers as unknown as Headers };
  }

  private async follow(start: URL, posted?: URLSearchParams): Promise<Page> {
    let page = await this.send(start, posted);
    for (;;) {
      const { headers } = page;
      this.keep(headers.getSetCookie(), page.url);
      const [location, refresh] = [headers.get('location'), this.refreshes ? headers.get('refresh') : null];
      if (location === null && refresh === null) return page;
      if (refresh !== null) await sleep(reloadsAfterMs);
      // Where the header names no place, the page itself.
      const url = new URL(location ?? /;\s*url=(.*)/.exec(refresh ?? '')?.[1] ?? page.url, page.url);
      if (!this.follows(url)) return { ...page, url, html: '' };
      page = await this.send(url, undefined);
    }
  }

  /** The `Cookie` header of a request for the path. */
  cookiesFor(pathname: string): string {
    return this.cookies
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  private keep(lines: readonly string[], url: URL): void {
    this.cookieLines.push(...lines);
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? url.pathname.replace(/[^/]*$/, '');
      this.cookies = this.cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
      if (value !== '') this.cookies.push({ name, value, path });
    }
  }
}

/** A `Set-Cookie` line with its attributes in the order of the alphabet: no order of theirs has a meaning. */
export function sortedCookie(line: string): string {
  const [pair = '', ...attributes] = line.split('; ');
  return [pair, ...attributes.sort()].join('; ');
}

/** The one script of a page, as its policy has to name it: by its hash. */
export function ownScript({ html }: Page): string {
  const [script, ...others] = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, content = '']) => content);
  if (script === undefined || others.length > 0) throw new Error('the page has no script, or several');
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** The words of a page. */
export function text(html: string): string {
  return html
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function unescape(value: string): string {
  return value.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/');
}
