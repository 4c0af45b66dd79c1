// The compiler leaves behind its output for a source that was removed: a profile would go on being served.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes from the folder `made` every compiled file of which the folder `source` has no TypeScript any more. */
export function removeSourceless(made, source) {
  const sources = new Set(readdirSync(source, { recursive: true }));
  for (const file of readdirSync(made, { recursive: true })) {
    const [, module] = /^(.+?)(?:\.js|\.js\.map|\.d\.ts)$/.exec(file) ?? [];
    if (module !== undefined && !sources.has(`${module}.ts`)) rmSync(join(made, file));
  }
}
