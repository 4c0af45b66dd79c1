import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const folder = '.screenshots';

/** Keeps a picture of the whole page in `.screenshots`: for a person to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const take = (): Promise<Buffer> => page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  // Under load Chromium sometimes reports "Unable to capture screenshot" for a time, after the window was resized.
  for (let tries = 0; tries < 10; tries += 1) {
    const isTaken = await take().then(
      () => true,
      () => false,
    );
    if (isTaken) return;
    await sleep(1_000);
  }
  await take();
}
