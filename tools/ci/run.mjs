// `node tools/ci/run.mjs <tool> …`: runs a tool of this folder in the folder of the project. `npm ci` does
// not install these tools, because neither `npm start` nor `npm test` needs them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('node_modules', import.meta.url));
/** Each tool's package. */
const TOOLS = { depcruise: 'dependency-cruiser', knip: 'knip', prisma: 'prisma' };

const [, , tool, ...words] = process.argv;
const folder = join(PACKAGES, TOOLS[tool]);
try {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  process.exitCode = spawnSync(process.execPath, [join(folder, bin[tool]), ...words], { stdio: 'inherit' }).status ?? 1;
} catch (error) {
  if (error.code !== 'ENOENT') throw error;
  console.error(`${tool} is not installed. Run \`npm run tools\` once, which installs the tools of the checks.`);
  process.exitCode = 1;
}
