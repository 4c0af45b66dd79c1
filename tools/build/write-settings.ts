import { writeFile } from 'node:fs/promises';
import { settingsFile, settingsPage } from './settings-page.js';

/** `npm run settings`: the page of all settings, from the classes that declare them. */
await writeFile(settingsFile, settingsPage());
console.log(`wrote ${settingsFile}`);
