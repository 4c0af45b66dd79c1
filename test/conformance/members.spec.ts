import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { membersDocument, membersFile } from '../../tools/build/members-document.js';
import { specsFolder } from '../support/official-openapi.js';

const why = 'SKIPPED, because OBIE_SPECS does not name the folder of its OpenAPI files';

describe('the table of the members of the standard', () => {
  (specsFolder === undefined ? it.skip : it)(
    `is equal to the committed one, and omits no member that is mandatory: run npm run openapi with OBIE_SPECS${
      specsFolder === undefined ? `, ${why}` : ''
    }`,
    () => {
      expect(readFileSync(membersFile, 'utf8')).toBe(membersDocument(specsFolder ?? ''));
    },
  );
});
