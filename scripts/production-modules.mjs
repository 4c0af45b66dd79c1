// Copies what the product needs at run time from node_modules/ to the folder named on the command line, for the image.
// `npm ci --omit=dev` brings more: it also installs optional peers (Prisma's command line, TypeScript).
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { readLock, resolveIn } from './lock-file.mjs';
import { ROOT } from './run.mjs';

const target = process.argv[2];
if (!target) throw new Error('usage: node scripts/production-modules.mjs <folder>');

const { packages } = readLock();
const needed = new Set();
function need(path) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path];
  const requiredPeers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...requiredPeers]) {
    const found = resolveIn(packages, path, name);
    // Optional ones for another platform are in the lock, or not even there, and not installed.
    if (found === undefined || needed.has(found) || !existsSync(join(ROOT, found))) continue;
    needed.add(found);
    need(found);
  }
}
need('');

for (const path of needed) {
  // Nested packages are copied only if something needs them.
  cpSync(join(ROOT, path), join(target, path), {
    recursive: true,
    filter: (source) => source === join(ROOT, path) || !source.endsWith('node_modules'),
  });
}
console.log(`${needed.size} packages copied to ${target}`);
