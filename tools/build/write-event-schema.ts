import { writeFile } from 'node:fs/promises';
import { eventPage, eventPageFile } from './event-page.js';
import { eventSchema, schemaFile } from './event-schema.js';

/** `npm run event-schema`: the JSON Schema and the page of the trail's events, from their types. */
await writeFile(schemaFile, `${JSON.stringify(eventSchema(), undefined, 2)}\n`);
await writeFile(eventPageFile, eventPage());
for (const file of [schemaFile, eventPageFile]) console.log(`wrote ${file}`);
