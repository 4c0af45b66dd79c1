import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { loadProfile, profileNames } from '../../src/profiles/load-profile.js';
import { versions } from '../../src/versions/versions.js';
import { documentName } from '../../src/versions/versions.js';
import { errorsDocument, errorsFile } from './errors-document.js';
import { membersDocument, membersFile } from './members-document.js';
import { declaredBankFacingDocument, declaredDocument, documentText } from './declared-document.js';

/** `npm run openapi`: one file for each profile and version, from the declarations of the code. */
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
await writeFile(errorsFile, errorsDocument());
console.log(`wrote ${errorsFile}`);
const specs = process.env['OBIE_SPECS'];
if (specs === undefined) console.log(`left ${membersFile} as it is, because OBIE_SPECS is not set`);
else {
  await writeFile(membersFile, membersDocument(specs));
  console.log(`wrote ${membersFile}`);
}
