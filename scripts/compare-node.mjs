// Compares the Node binary that npm installed (optionalDependencies in package.json) with the one that nodejs.org
// publishes. The npm packages are not made by the Node project, and its checksums are those of its archives: so this
// downloads the archive, checks it against the list of checksums, and compares the binary in it.
//
// Exit code 0: equal. 1: different. 2: could not be compared.
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const mostBytes = 1_000_000_000;

class Incomparable extends Error {}
class Different extends Error {}

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** A file below the distribution's URL, or below a folder with the same content. */
async function fetched(dist, name) {
  const place = `${dist.replace(/\/+$/, '')}/${name}`;
  try {
    if (!/^https?:/.test(dist)) return readFileSync(place);
    const answer = await fetch(place);
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    throw new Incomparable(`${place} cannot be read (${error.cause?.code ?? error.code ?? error.message})`);
  }
}

function extracted(archive, member) {
  const { status, stdout, error } = spawnSync('tar', ['-xzOf', '-', member], { input: archive, maxBuffer: mostBytes });
  if (status !== 0) throw new Incomparable(`tar cannot extract ${member} (${error?.code ?? `exit code ${status}`})`);
  return stdout;
}

async function compare({ dist, version, platform, binary }) {
  if (!existsSync(binary)) throw new Incomparable(`there is no ${binary}: run npm ci, or name the file with --binary`);
  const isWindows = platform.startsWith('win-');
  const file = isWindows ? `${platform}/node.exe` : `node-v${version}-${platform}.tar.gz`;
  const sums = String(await fetched(dist, `v${version}/SHASUMS256.txt`));
  const listed = sums.split('\n').find((line) => line.endsWith(`  ${file}`));
  if (listed === undefined) throw new Incomparable(`SHASUMS256.txt of v${version} does not list ${file}`);
  const download = await fetched(dist, `v${version}/${file}`);
  if (digest(download) !== listed.slice(0, 64))
    throw new Different(`${file} is not the file that SHASUMS256.txt lists`);
  const published = isWindows ? download : extracted(download, `node-v${version}-${platform}/bin/node`);
  if (digest(published) !== digest(readFileSync(binary)))
    throw new Different(`${binary} is not the binary of ${file}: do not run it, and remove node_modules`);
  return `${binary} is the binary of ${file}, SHA-256 ${digest(published)}`;
}

const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const here = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const { values } = parseArgs({
  options: {
    dist: { type: 'string', default: 'https://nodejs.org/dist' },
    platform: { type: 'string', default: here },
    binary: { type: 'string' },
  },
});
const { dist, platform } = values;
const version = optionalDependencies[`node-${platform}`];
const inPackage = platform.startsWith('win-') ? 'node.exe' : 'node';
const { binary = join(root, 'node_modules', `node-${platform}`, 'bin', inPackage) } = values;
try {
  if (version === undefined) throw new Incomparable(`npm installs no Node for ${platform}`);
  console.log(await compare({ dist, version, platform, binary }));
} catch (error) {
  if (!(error instanceof Incomparable || error instanceof Different)) throw error;
  console.error(`compare-node: ${error.message}`);
  process.exitCode = error instanceof Different ? 1 : 2;
}
