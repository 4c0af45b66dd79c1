import { writeFile } from 'node:fs/promises';
import { eventSchema, schemaFile } from './event-schema.js';

/** `npm run event-schema`: the JSON Schema of the trail's events, from their types. */
await writeFile(schemaFile, `${JSON.stringify(eventSchema(), undefined, 2)}\n`);
console.log(`wrote ${schemaFile}`);
