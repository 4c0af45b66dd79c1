import { writeFile } from 'node:fs/promises';
import { clausesFile, clausesPage } from './clauses-page.js';

/** `npm run clauses`: the page of the clauses, from the kits that declare them. */
await writeFile(clausesFile, clausesPage());
console.log(`wrote ${clausesFile}`);
