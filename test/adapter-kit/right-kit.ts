import {
  type AdapterUnderTest,
  checkCoreAdapter,
  type ClauseId,
  type ClauseResult,
} from '../../packages/adapter-kit/adapter-kit.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { isRow } from '../../packages/core-adapter/core-rows.js';
import type { CoreServices } from '../../packages/core-adapter/core-services.js';
import { CoreSettingFault } from '../../packages/core-adapter/core-settings.js';
import type { HttpCore } from '../../packages/core-adapter/http-core.client.js';
import { kit } from '../cores/ledger/ledger.kit.js';

/** The ledger's kit, with a setting and an error under status 200, which the ledger does not have: it keeps every clause. */
export const rightKit: AdapterUnderTest = {
  ...kit,
  // The secret equals a folder name, to prove that a stack trace with our file names counts as no leak.
  core: async (wanted) => ({ ...(await kit.core(wanted)), variables: { CORE_TOKEN: 'adapter-kit' } }),
  create: (settings, services) => {
    if (!/^[\w-]+$/.test(settings.variables['CORE_TOKEN'] ?? ''))
      throw new CoreSettingFault('CORE_TOKEN', 'must be the token');
    return kit.create(settings, withHttp(services, refusesWhenBusy));
  },
  badSettings: { CORE_TOKEN: [undefined, '', 'has blanks'] },
  faults: { answers: [{ body: '{"fail":"BUSY","wait":9}', kind: 'rate-limited', retryAfterSeconds: 9 }] },
  without: {},
};

function refusesWhenBusy(right: HttpCore): Partial<HttpCore> {
  return {
    json: (answer) => {
      const found = right.json(answer);
      if (isRow(found) && found.fail === 'BUSY')
        throw new CoreError('rate-limited', 'the core is busy', Number(found.wait));
      return found;
    },
  };
}

/** The services with other methods of each HTTP client. */
export function withHttp(services: CoreServices, change: (right: HttpCore) => Partial<HttpCore>): CoreServices {
  const connect: CoreServices['http']['connect'] = (settings) => {
    const right = services.http.connect(settings);
    return Object.assign(Object.create(right) as HttpCore, change(right));
  };
  return { ...services, http: { connect } };
}

/** The same core, which cannot be filled: the kit asks about the histories of its truth. */
export const unfilled = (kit: AdapterUnderTest): AdapterUnderTest => ({
  ...kit,
  core: async (wanted) => ({ ...(await kit.core(wanted)), fill: undefined }),
});

export async function resultsOf(kit: AdapterUnderTest, only?: readonly ClauseId[]): Promise<ClauseResult[]> {
  const results: ClauseResult[] = [];
  for await (const result of checkCoreAdapter(kit, only)) results.push(result);
  return results;
}

export async function resultOf(kit: AdapterUnderTest, clause: ClauseId): Promise<ClauseResult> {
  const [result] = await resultsOf(kit, [clause]);
  if (result === undefined) throw new Error(`${clause} is no clause of this kit`);
  return result;
}
