import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { text, type Browser, type Page } from '../authorisation/browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from '../authorisation/setting.js';
import type { TestTpp } from '../authorisation/tpp.js';
import { circuitOpenMs } from '../../src/core-banking/circuit.js';
import type { UnreachableCoreRule } from '../../src/core-banking/cores.js';
import { coreAt } from '../support/stack.js';
import { until } from '../support/until.js';
import { saverAtCards, StubCore } from './setting.js';

const missing = 'Some of your accounts cannot be shown at the moment. To share one of them, come back later.';

describe.each<UnreachableCoreRule>(['refuse', 'partial'])(
  'with the rule of unreachable cores %s, the pages of a customer of two cores',
  (rule) => {
    let setting: AuthorisationSetting;
    let tpp: TestTpp;
    let cards: StubCore;
    beforeAll(async () => {
      cards = await StubCore.start();
      setting = await AuthorisationSetting.start({
        rules: { unreachableCore: rule },
        cores: (ledger) => [
          { ...ledger, name: 'ledger', recordedAs: 'ledger' },
          { ...coreAt(cards.url), name: 'cards', recordedAs: 'cards' },
        ],
      });
      Object.assign(setting.person('saver'), { customerRefs: { cards: saverAtCards } });
      Object.assign(setting.person('joint'), { customerRefs: { crads: saverAtCards } });
      tpp = await setting.tpp('tpp-one');
    });
    afterEach(async () => {
      if (cards.conduct === 'well') return;
      cards.conduct = 'well';
      // Until then the core may not be asked.
      await delay(circuitOpenMs);
    });
    afterAll(async () => {
      await setting.close();
      await cards.close();
    });

    interface Visit {
      readonly consentId: string;
      readonly browser: Browser;
      readonly page: Page;
    }
    async function signedIn(consentId?: string, loginName = 'saver'): Promise<Visit> {
      const id = consentId ?? (await tpp.createConsent(defaultPermissions));
      const browser = setting.browser();
      const page = await setting.signIn(browser, await browser.open((await tpp.begin(id)).url), loginName);
      return { consentId: id, browser, page };
    }
    const approve = ({ browser, page }: Visit, account: readonly string[]): Promise<Page> =>
      browser.submit(page, { account, decision: 'approve' });
    const coresOf = async (consentId: string): Promise<string[]> => {
      const { json } = await setting.stack.report(`/consents/${consentId}`);
      return ((json.Accounts ?? []) as { core: string }[]).map(({ core }) => core);
    };
    const ofSaver = (): number => setting.person('saver').accounts.length;

    it('offer the accounts of both, at each core those of the customer’s reference there', async () => {
      const visit = await signedIn();
      expect(offeredKeys(visit.page)).toHaveLength(2 * ofSaver());
      expect(text(visit.page.html)).toContain('At cards: saver');
      expect(text(visit.page.html)).not.toContain('At cards: trader');
      await approve(visit, offeredKeys(visit.page));
      expect(new Set(await coresOf(visit.consentId))).toEqual(new Set(['ledger', 'cards']));
      const { json } = await setting.stack.report(`/consents/${visit.consentId}`);
      expect(json.Accounts[0]).not.toHaveProperty('customerRef');
      expect(json.Accounts.at(-1).customerRef).toBe(saverAtCards);
    });

    it('show no account where the sign-on names a core that does not exist', async () => {
      const { page } = await signedIn(undefined, 'joint');
      expect([page.status, offeredKeys(page)]).toEqual([503, []]);
    });

    it('keep to the setting while one core is unreachable', async () => {
      cards.conduct = 'dead';
      const visit = await signedIn();
      if (rule === 'refuse') {
        expect([visit.page.status, text(visit.page.html)]).toEqual([
          503,
          expect.stringContaining('We cannot show your accounts'),
        ]);
        return;
      }
      expect(text(visit.page.html)).toContain(missing);
      expect(offeredKeys(visit.page)).toHaveLength(ofSaver());
      await approve(visit, offeredKeys(visit.page));
      expect(new Set(await coresOf(visit.consentId))).toEqual(new Set(['ledger']));
    });

    it('let the customer confirm an access to the other core’s accounts while one core is unreachable', async () => {
      const first = await signedIn();
      const [key = ''] = offeredKeys(first.page);
      await approve(first, [key]);
      expect(await coresOf(first.consentId)).toEqual(['ledger']);

      cards.conduct = 'dead';
      const again = await signedIn(first.consentId);
      expect(text(again.page.html)).toContain('Accounts and information stay the same');
      expect(text(again.page.html)).not.toContain('cannot be shown');
      const { url } = await again.browser.submit(again.page, { decision: 'approve' });
      expect(new URLSearchParams(url.hash.slice(1)).get('code')).toBeTruthy();
    });

    it('show the dashboard while one core is unreachable, and withdraw an access to its accounts', async () => {
      const visit = await signedIn();
      await approve(visit, offeredKeys(visit.page));
      const [name = ''] = setting.person('saver').accounts.map((account) => account.name);
      cards.conduct = 'dead';
      const browser = setting.browser();
      const overview = await setting.signIn(browser, await browser.open('/as/dashboard'), 'saver');
      expect([overview.status, text(overview.html)]).toEqual([200, expect.stringContaining(name)]);
      expect(text(overview.html)).not.toContain('At cards');
      const confirmation = await browser.open(`/as/dashboard/withdraw/${visit.consentId}`);
      await browser.submit(confirmation, { decision: 'continue' }, visit.consentId);
      expect((await setting.stack.report(`/consents/${visit.consentId}`)).json.Status).toBe('cancelled');

      cards.conduct = 'well';
      // The circuit of the core may still be open.
      await until(async () => text((await browser.open('/as/dashboard')).html).includes('At cards: saver'), 20_000);
    });
  },
);
