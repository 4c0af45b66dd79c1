// `node scripts/built.mjs <name> <entry> …`: runs the command line `<name>`, the file `<entry>` of any build that exists.
import './supported-node.mjs';
import { existsSync } from 'node:fs';

const [node, , name, entry, ...words] = process.argv;
const url = new URL(`../dist/${entry}`, import.meta.url);
if (existsSync(url)) {
  process.argv = [node, url.pathname, ...words];
  await import(url.href);
} else {
  console.error(
    `${name}: nothing is built yet. Start the stack with \`npm start\` first (or build it with \`npm run build\`).`,
  );
  process.exitCode = 1;
}
