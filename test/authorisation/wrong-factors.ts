import { text, type Browser, type Page } from './browser.js';

/** The answers to a wrong password, a wrong code and an unknown login name, in this order. */
export async function answersToWrongFactors(
  arrive: () => Promise<{ readonly browser: Browser; readonly page: Page }>,
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [loginName, password, code] of [
    ['cards', 'wrong', '246810'],
    ['cards', 'cards-password', '000000'],
    ['nobody', 'nothing', '246810'],
  ] as const) {
    const { browser, page } = await arrive();
    const codePage = await browser.submit(page, { login_name: loginName, password });
    const end = await browser.submit(codePage, { code });
    answers.push([codePage.status, text(codePage.html), end.status, text(end.html)]);
  }
  return answers;
}
