import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';

const folder = '.screenshots';

/** Keeps a picture of the whole page in `.screenshots`: for a person to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const take = (): Promise<Buffer> => page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  // Under load Chromium sometimes reports "Unable to capture screenshot" once, after the window was resized.
  await take().catch(take);
}
