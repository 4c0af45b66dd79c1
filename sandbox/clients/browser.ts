import { FaultyStart } from '../faulty-start.js';

/** A page of the bank as the customer's browser has it. */
interface Page {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** A customer's browser at the bank's pages, without JavaScript: cookies, redirects and forms, until it leaves the bank. */
export class Browser {
  private cookies: readonly Cookie[] = [];
  private page: Page | undefined;

  /** @param tppAddress addresses that begin like this are the TPP's: they are not fetched */
  constructor(private readonly tppAddress: string) {}

  /** Every `Set-Cookie` line that the bank sent, in order. */
  readonly cookieLines: string[] = [];

  /** The address to which the bank sent the customer back, once it has. */
  leftFor: URL | undefined;

  /** The heading of the page. */
  get heading(): string {
    const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(this.page?.text ?? '')?.[1] ?? '';
    return heading
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  }

  open(url: URL): Promise<void> {
    return this.go(url, undefined);
  }

  /** Whether the page asks for a field of this name. */
  asks(field: string): boolean {
    return this.inputs().some(({ name }) => name === field);
  }

  /** The values of the page's fields of this name. */
  offered(field: string): string[] {
    return this.inputs().flatMap(({ name, value }) => (name === field ? [value] : []));
  }

  /** Fills in the page's form and sends it. */
  async submit(fields: Readonly<Record<string, string | readonly string[]>>): Promise<void> {
    const { page } = this;
    const action = /<form[^>]*\saction="([^"]*)"/.exec(page?.text ?? '')?.[1];
    if (page === undefined || action === undefined)
      throw new FaultyStart(`the bank's page "${this.heading}" (${page?.status}) has no form`);
    const body = new URLSearchParams();
    for (const { name, value, type } of this.inputs()) if (type === 'hidden') body.append(name, value);
    for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) body.append(name, value);
    await this.go(new URL(unescaped(action), page.url), body);
  }

  private inputs(): { name: string; value: string; type: string }[] {
    return [...(this.page?.text ?? '').matchAll(/<input\b[^>]*>/g)].map(([input]) => {
      const attribute = (name: string): string => unescaped(new RegExp(`\\s${name}="([^"]*)"`).exec(input)?.[1] ?? '');
      return { name: attribute('name'), value: attribute('value'), type: attribute('type') };
    });
  }

  private async go(start: URL, body: URLSearchParams | undefined): Promise<void> {
    let [url, posted] = [start, body];
    for (let redirects = 0; redirects < 20; redirects++) {
      const answer = await fetch(url, {
        method: posted === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { accept: 'text/html', cookie: this.cookiesFor(url.pathname) },
        ...(posted !== undefined && { body: posted }),
      }).catch(() => {
        throw new FaultyStart(`nothing answers at ${url.origin}: start the stack with npm start`);
      });
      this.keep(answer.headers.getSetCookie(), url);
      const location = answer.headers.get('location');
      if (location === null) {
        this.page = { url, status: answer.status, text: await answer.text() };
        return;
      }
      await answer.body?.cancel();
      [url, posted] = [new URL(location, url), undefined];
      if (url.href.startsWith(this.tppAddress)) {
        this.leftFor = url;
        return;
      }
    }
    throw new FaultyStart(`the bank's pages redirect without end, at last to ${url.origin}${url.pathname}`);
  }

  /** RFC 6265, section 5.1.4. */
  private cookiesFor(pathname: string): string {
    return this.cookies
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  private keep(lines: readonly string[], url: URL): void {
    this.cookieLines.push(...lines);
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? url.pathname.replace(/[^/]*$/, '');
      const others = this.cookies.filter((kept) => kept.name !== name || kept.path !== path);
      this.cookies = value === '' ? others : [...others, { name, value, path }];
    }
  }
}

/** The references that the bank's pages use. */
function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text.replace(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_, code?: string, name = '') =>
    code === undefined ? (named[String(name)] ?? '') : String.fromCodePoint(Number(code)),
  );
}
