// Copies what one of the two images holds from a built project to a folder: `gateway`, which holds the product and nothing
// else, or `sandbox`, the sandbox bank. The Dockerfile and .ci/run call it, so that both mean the same files.
//
// `npm ci --omit=dev` would bring more packages: it also installs optional peers (Prisma's command line, TypeScript).
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readLock, resolveIn } from './lock-file.mjs';
import { ROOT } from './run.mjs';

const databases = readdirSync(join(ROOT, 'dist')).filter((name) => name.startsWith('pglite-'));
const CONTENTS = {
  gateway: ['LICENSE', 'package.json', 'prisma/migrations', 'dist/gateway', ...databases.map((name) => `dist/${name}`)],
  sandbox: ['LICENSE', 'package.json', 'dist/sandbox', 'dist/src'],
};

const [image, target] = process.argv.slice(2);
const paths = CONTENTS[image];
if (paths === undefined || !target) throw new Error('usage: node scripts/image.mjs gateway|sandbox <folder>');

const { packages } = readLock();
const needed = new Set();
function need(path) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path];
  const requiredPeers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...requiredPeers]) {
    const found = resolveIn(packages, path, name);
    // Optional packages for another platform are in the lock and not installed.
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
for (const path of paths) cpSync(join(ROOT, path), join(target, path), { recursive: true });
console.log(`${image}: ${paths.join(', ')} and ${needed.size} packages copied to ${target}`);
