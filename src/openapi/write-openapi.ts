import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../persistence/package-root.js';
import { loadProfile, profileNames } from '../profiles/load-profile.js';
import { versions } from '../versions/versions.js';
import { documentName } from './openapi.js';
import { declaredBankFacingDocument, declaredDocument, documentText } from './declared-document.js';

/** `npm run openapi`: one file for each profile and version, from what the code declares. */
const folder = join(packageRoot(), 'docs', 'openapi');
await mkdir(folder, { recursive: true });
const write = async (name: string, document: object): Promise<void> => {
  const file = join(folder, `${name}.json`);
  await writeFile(file, documentText(document));
  console.log(`wrote ${file}`);
};
for (const name of profileNames())
  for (const version of versions)
    await write(documentName(name, version), await declaredDocument(await loadProfile(name), version));
await write('bank-facing', await declaredBankFacingDocument(await loadProfile(profileNames()[0] ?? '')));
