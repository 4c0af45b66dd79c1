// `node tools/ci/run.mjs <tool> …`: runs a tool of this folder in the folder of the project. `npm ci` does not install these
// tools, because neither `npm start` nor `npm test` needs them: the first run does.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** Each tool's package. */
const TOOLS = { depcruise: 'dependency-cruiser', knip: 'knip', prisma: 'prisma' };

const run = (command, words, options = {}) => {
  const { status } = spawnSync(command, words, { stdio: 'inherit', ...options });
  if (status !== 0) process.exit(status ?? 1);
};

const [, , tool, ...words] = process.argv;
const folder = join(FOLDER, 'node_modules', TOOLS[tool]);
if (!existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) {
  console.error('Installing the tools of the checks, once (`npm run tools`): about 1 GB in tools/ci/node_modules');
  run('npm ci --silent', [], { cwd: FOLDER, shell: true });
}
const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
run(process.execPath, [join(folder, bin[tool]), ...words]);
