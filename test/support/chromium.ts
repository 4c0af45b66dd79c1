import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/**
 * Debian's headless shell is the engine of Chromium without its windows, which take two thirds of the browser's processor
 * time. Where it is not installed, Chromium itself shows the pages.
 */
const paths = process.env['CHROMIUM']
  ? [process.env['CHROMIUM']]
  : ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = paths.find((path) => existsSync(path));

/**
 * Whether there is a browser.
 * @param untried the subject and the verb of the line that says that the browser is absent, e.g. `the inbox is`
 */
export function hasChromium(untried: string): boolean {
  // eslint-disable-next-line no-console -- that pages were not tried must be seen
  if (executablePath === undefined) console.warn(`${paths.join(' and ')}: absent, ${untried} NOT tried in a browser`);
  return executablePath !== undefined;
}

export async function launchChromium(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`no browser: install ${paths.join(' or ')}`);
  return chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
}
