import type { Answer, Json, Stack } from './stack.js';

export interface Page {
  /** The path and query of the request, without the base URL. */
  readonly at: string;
  readonly ids: readonly string[];
  readonly rows: readonly Record<string, Json>[];
  readonly links: Readonly<Record<string, string>>;
}

/** Asks for a page of transactions by a path, or by a link of an answer. */
export async function pageAt(stack: Stack, token: string, link: string): Promise<Page> {
  const at = link.replace(stack.config.baseUrl, '');
  const answer: Answer = await stack.ask(at, { token });
  if (answer.status !== 200) throw new Error(`${at}: ${answer.status} ${answer.body}`);
  const rows = answer.json.Data.Transaction as Record<string, Json>[];
  return { at, rows, ids: rows.map(({ TransactionId }) => TransactionId as string), links: answer.json.Links };
}

/** Follows one link, `Next` or `Prev`, from page to page until it is absent. */
export async function follow(
  stack: Stack,
  token: string,
  start: string | Page,
  by: 'Next' | 'Prev',
  between: (page: Page) => void = () => undefined,
): Promise<Page[]> {
  const pages = [typeof start === 'string' ? await pageAt(stack, token, start) : start];
  for (;;) {
    const page = pages.at(-1) as Page;
    const link = page.links[by];
    if (link === undefined) return pages;
    if (pages.length > 1_000) throw new Error(`${by} leads on and on`);
    between(page);
    pages.push(await pageAt(stack, token, link));
  }
}
