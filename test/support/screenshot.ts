import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';

const folder = '.screenshots';

/** Keeps a picture of the whole page in `.screenshots`: for a person to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
