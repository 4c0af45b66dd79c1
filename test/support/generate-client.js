import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The stores are compiled against the Prisma client, which a fresh checkout does not have yet. */
export function generateClient() {
  const build = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  execFileSync(process.execPath, [build, 'client'], { stdio: 'inherit' });
}
