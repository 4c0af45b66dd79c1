// `npm run --silent sandbox -- …`: the sandbox command line, of whatever build is there.
import { existsSync } from 'node:fs';

const entry = new URL('../dist/sandbox/cli/main.js', import.meta.url);
if (existsSync(entry)) {
  await import(entry.href);
} else {
  console.error(
    'sandbox: nothing is built yet. Start the stack with `npm start` first (or build it with `npm run build`).',
  );
  process.exitCode = 1;
}
