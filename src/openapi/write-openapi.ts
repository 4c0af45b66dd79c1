import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../persistence/package-root.js';
import { loadProfile, profileNames } from '../profiles/load-profile.js';
import { declaredBankFacingDocument, declaredDocument, documentText } from './declared-document.js';

/** `npm run openapi`: one file for each profile, from what the code declares. */
const folder = join(packageRoot(), 'docs', 'openapi');
await mkdir(folder, { recursive: true });
const write = async (name: string, document: object): Promise<void> => {
  const file = join(folder, `${name}.json`);
  await writeFile(file, documentText(document));
  console.log(`wrote ${file}`);
};
for (const name of profileNames()) await write(name, await declaredDocument(await loadProfile(name)));
await write('bank-facing', await declaredBankFacingDocument(await loadProfile(profileNames()[0] ?? '')));
