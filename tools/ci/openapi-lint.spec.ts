import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { declaredDocument } from '../build/declared-document.js';
import { loadProfile, profileNames } from '../../src/profiles/load-profile.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { AuthorisationSetting } from '../../test/authorisation/setting.js';

const whole = 'profile-2';
/** A gateway with the embedded authorization server declares all of its profile, and more. */
const documents: [string, () => Promise<object>][] = [
  ...profileNames()
    .filter((name) => name !== whole)
    .map((name): [string, () => Promise<object>] => [
      name,
      async () => declaredDocument(await loadProfile(name), v3_1),
    ]),
  [
    `a gateway of ${whole} with the embedded authorization server`,
    async () => {
      const config = { baseUrl: 'http://gateway.test:3000', profile: whole } as const;
      const setting = await AuthorisationSetting.start({ config });
      try {
        return setting.stack.gateway.server.swagger();
      } finally {
        await setting.close();
      }
    },
  ],
];

describe.each(documents)('the OpenAPI document of %s', (_name, make) => {
  it('gives Spectral nothing to report', async () => {
    expect(await spectralFaults(await make())).toEqual([]);
  });

  it('gives Redocly nothing to report', async () => {
    expect(await redoclyFaults(await make())).toEqual([]);
  });
});

it('the two report a document that is wrong', async () => {
  const wrong = { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: { '/a': { get: { responses: {} } } } };
  expect(await spectralFaults(wrong)).not.toEqual([]);
  expect(await redoclyFaults(wrong)).not.toEqual([]);
});

async function spectralFaults(document: object): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [spectralRulesets.oas as never], rules: {} });
  const faults = await spectral.run(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
  return faults.map(({ code, path, message }) => `${code} ${path.join('.')} ${message}`);
}

async function redoclyFaults(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const faults = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  return faults.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''} ${message}`);
}
