// Completes package-lock.json after an `npm install` against a registry that mirrors Linux binaries only.
//
// Some tools ship their native code as one optional package per platform. npm leaves the ones that its registry could
// not show out of the lock, and then `npm ci` refuses the lock ("Missing: @swc/core-darwin-arm64 from lock file") and
// would bring no binary on macOS or Windows. Name and exact version stand in the parent's own `optionalDependencies`,
// system and processor in the name; no integrity can be known here, and no registry address belongs in the lock.
//
//   node scripts/complete-lock.mjs           adds what is missing, says how many
//   node scripts/complete-lock.mjs --check   changes nothing; exit code 1 when something is missing
import { writeFileSync } from 'node:fs';
import { LOCK_FILE, readLock, resolveIn } from './lock-file.mjs';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** What a platform package's name says, e.g. `@unrs/resolver-binding-linux-arm-musleabihf`. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  // WebAssembly runs on every system, in place of a processor.
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) {
    throw new Error(`${name} does not name its system and processor: write its package-lock.json entry by hand`);
  }
  const libc = os !== 'linux' ? undefined : name.includes('musl') ? 'musl' : name.includes('gnu') ? 'glibc' : undefined;
  return { os, cpu, libc };
}

const lock = readLock();
const { packages } = lock;
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const added = [];
for (const [path, parent] of Object.entries(packages)) {
  if (path === '') continue;
  const siblings = Object.keys(parent.optionalDependencies ?? {});
  const engines = siblings
    .map((name) => packages[`node_modules/${name}`]?.engines)
    .find((known) => known !== undefined);
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (resolveIn(packages, path, name) !== undefined) continue;
    if (!/^\d+\.\d+\.\d+/.test(version)) {
      throw new Error(`${nameOf(path)} asks for ${name}@${version}, which is no exact version: lock it by hand`);
    }
    const { os, cpu, libc } = platformOf(name);
    packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(parent.dev === true && { dev: true }),
      ...(libc !== undefined && { libc: [libc] }),
      optional: true,
      ...(os !== undefined && { os: [os] }),
      ...(engines !== undefined && { engines }),
    };
    added.push(`${name}@${version}`);
  }
}

if (process.argv.includes('--check')) {
  if (added.length > 0) {
    console.error(`package-lock.json lacks ${added.length} platform packages; run: node scripts/complete-lock.mjs`);
    process.exitCode = 1;
  }
} else if (added.length > 0) {
  const [root, ...rest] = Object.keys(packages);
  lock.packages = Object.fromEntries(
    [root, ...rest.sort((a, b) => a.localeCompare(b, 'en'))].map((key) => [key, packages[key]]),
  );
  writeFileSync(LOCK_FILE, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`package-lock.json: added ${added.length} platform packages`);
} else {
  console.log('package-lock.json: nothing is missing');
}
