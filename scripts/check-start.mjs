// Checks settings and ports before the build, which can take minutes. It uses the code of the built stack, which it bundles
// from its sources in a moment.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A package, but for the compiler's own pieces. */
const isPackage = (id) => /^[a-z@]/i.test(id) && !id.startsWith('@oxc-project/');

/** Ends this process with one line where the stack cannot start. */
export async function checkStart() {
  // The folders of the packages and of the project's files.
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.check-start-'));
  try {
    const input = join(ROOT, 'sandbox/start-checks.ts');
    const bundle = await rolldown({ input, cwd: ROOT, platform: 'node', external: isPackage, logLevel: 'silent' });
    await bundle.write({ dir: folder, entryFileNames: 'checks.mjs', codeSplitting: false });
    const { faultOfStart } = await import(pathToFileURL(join(folder, 'checks.mjs')).href);
    const fault = await faultOfStart(profiles());
    if (fault === undefined) return;
    console.error(`npm start: ${fault}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  process.exit(1);
}

const profiles = () =>
  readdirSync(join(ROOT, 'src/profiles')).flatMap((file) => /^(profile-[a-z0-9-]+)\.ts$/.exec(file)?.[1] ?? []);
