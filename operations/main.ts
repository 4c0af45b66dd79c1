import { existsSync, readdirSync } from 'node:fs';

/**
 * The start of the operators' image: `trail why ID` runs the tool of the folder `trail` with the words `why ID`.
 * Each folder next to this file that has a `main.js` is a tool.
 */
const tools = readdirSync(import.meta.dirname).filter((name) => existsSync(`${import.meta.dirname}/${name}/main.js`));
const [tool = ''] = process.argv.splice(2, 1);
if (tools.includes(tool)) await import(`./${tool}/main.js`);
else {
  process.stderr.write(`operations: the first word must be a tool: ${tools.join(', ')}\n`);
  process.exitCode = 2;
}
