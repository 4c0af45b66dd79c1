import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assetPath, fields } from '../../src/authorisation-server/pages/customer-pages.js';
import { checkedBrand } from '../../src/authorisation-server/pages/brand/brand.js';
import { scriptElement } from '../../src/authorisation-server/pages/page-script.js';
import { siteOf } from '../../src/authorisation-server/pages/site.js';
import { english } from '../../src/authorisation-server/pages/texts/english.js';
import type { Text } from '../../src/authorisation-server/pages/texts/language.js';
import { welsh } from '../../src/authorisation-server/pages/texts/welsh.js';
import { agentName, pageStates, plainWords, testSite, welshSite } from './page-states.js';

const pages = pageStates(testSite);
const welshPages = pageStates(welshSite);
const named = Object.entries(pages);
/** At most they lead on, by a link. */
const onlyTelling = [
  'notice-elsewhere',
  'notice-leaving',
  'notice-ended',
  'notice-ended-start-page',
  'notice-tpp-barred',
  'notice-bad-request',
  'notice-too-many-requests',
  'dashboard-form-expired',
  'dashboard-elsewhere',
  'dashboard-approve-in-app',
  'dashboard-leaving',
  'dashboard-locked',
  'dashboard-must-change-password',
  'dashboard-blocked',
  'dashboard-no-access',
  'dashboard-unavailable',
];

/** The text of a page, in order, with single spaces. */
function readable(name: string, of = pages): string {
  return (of[name] ?? '')
    .replace(/<head>.*?<\/head>/s, '')
    .replace(/<\/?(?:bdi|span|a)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

/** The elements of a document with the names of their attributes, without values and texts. */
function skeleton(document: string): string[] {
  return (document.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""').replace(/\s+/g, ' '));
}

describe('every page', () => {
  it.each(named)(
    'has one heading of the first level, a title with the bank, a language and its landmarks: %s',
    (_, page) => {
      expect(page.match(/<h1\b/g)).toHaveLength(1);
      expect(page).toMatch(/<title>[^<]+ – Hartwell &amp; Rye Bank<\/title>/);
      expect(page).toMatch(/^<!doctype html>\s*<html lang="en-GB">/);
      for (const landmark of ['<header', '<main id="main"', '<footer']) expect(page.split(landmark)).toHaveLength(2);
    },
  );

  it.each(named)('has one script, no inline style and no refresh in its HTML: %s', (_, page) => {
    expect(page.split(scriptElement.toString())).toHaveLength(2);
    expect(page.replace(scriptElement.toString(), '')).not.toMatch(
      /<script|<style|\sstyle=|\son[a-z]+=|http-equiv|javascript:/i,
    );
  });

  it.each(named)('posts every form with its token, and has one unless it only informs: %s', (name, page) => {
    const forms = page.match(/<form.*?<\/form>/gs) ?? [];
    expect(forms).toHaveLength(page.split('<form').length - 1);
    expect(forms.length > 0).toBe(!onlyTelling.includes(name));
    for (const form of forms) {
      expect(form).toMatch(/^<form method="post" action="\/as\/interaction\/7d0e">/);
      expect(form).toContain(`<input type="hidden" name="${fields.csrf}" value="${plainWords.csrf}" />`);
    }
  });

  it('stays the same document whatever words come from outside', () => {
    const letters = fc.constantFrom(...`<>&"'\`=/! -\r\n;#xscript`.split(''));
    const hostile = fc.oneof(
      fc.constantFrom('"><script>alert(1)</script>', "' onmouseover='x", '</title><script>', '<!--', '&#60;b&#62;'),
      fc.string({ unit: letters, minLength: 1, maxLength: 30 }),
    );
    const outside = fc.record({
      tpp: hostile,
      agent: fc.option(hostile, { nil: undefined }),
      customer: hostile,
      account: hostile,
      loginName: hostile,
      key: hostile,
      csrf: hostile,
      sentTo: hostile,
      shown: hostile,
      address: hostile,
    });
    const skeletons = (of: Readonly<Record<string, string>>): Readonly<Record<string, string[]>> =>
      Object.fromEntries(Object.entries(of).map(([name, page]) => [name, skeleton(page)]));
    const [ofTpp, ofAgent] = [skeletons(pages), skeletons(pageStates(testSite, { ...plainWords, agent: 'x' }))];
    fc.assert(
      fc.property(outside, ({ agent, ...words }) => {
        const shown = agent === undefined ? words : { ...words, agent };
        expect(skeletons(pageStates(testSite, shown))).toEqual(agent === undefined ? ofTpp : ofAgent);
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['English', testSite, 'Oak Money on behalf of Copper Budget'],
    ['Welsh', welshSite, 'Oak Money ar ran Copper Budget'],
  ])('names the agent wherever it names the TPP: in %s', (_, site, both) => {
    const all = pageStates(site, { ...plainWords, agent: agentName });
    const naming = Object.keys(pages).filter((name) => readable(name).includes('Copper Budget'));
    expect(naming.length).toBeGreaterThan(40);
    for (const name of naming) {
      const text = readable(name, all);
      expect(text).toContain(both);
      expect(text.replaceAll(both, '')).not.toMatch(/Copper Budget|Oak Money/);
    }
  });
});

describe('the pages in Welsh', () => {
  const texts = Object.keys(english) as Text[];
  /** As it stands between two values. */
  const fragments = (words: string): string[] =>
    words
      .split(/\{[^}]*\}/)
      .map((part) => part.trim())
      .filter((part) => part.length > 8);

  it.each(Object.keys(pages))('have the elements of the English ones, and none of their words: %s', (name) => {
    const page = welshPages[name] ?? '';
    expect(skeleton(page)).toEqual(skeleton(pages[name] ?? ''));
    expect(page).toMatch(/^<!doctype html>\s*<html lang="cy-GB">/);
    const words = readable(name, welshPages);
    const untranslated = texts.filter((key) => english[key] !== welsh[key]).map((key) => fragments(english[key]));
    const same = texts.flatMap((key) => fragments(welsh[key]));
    const left = untranslated.flat().filter((part) => words.includes(part) && !same.some((one) => one.includes(part)));
    expect(left).toEqual([]);
  });

  it('show dates in Welsh', () => {
    expect(readable('authorise', welshPages)).toContain('Am ba hyd Tan 31 Rhagfyr 2026 am 23:59');
  });
});

describe('each text of the pages', () => {
  it('stands on at least one of them, in whichever state', () => {
    const shown =
      Object.keys(pages)
        .map((name) => readable(name))
        .join(' ') + Object.values(pages).join(' ');
    const absent = (Object.keys(english) as Text[]).filter((key) =>
      english[key]
        .split(/\{[^}]*\}/)
        .map((part) => part.trim())
        .some((part) => !shown.includes(part)),
    );
    expect(absent).toEqual([]);
  });
});

describe('the assets', () => {
  const logo = {
    contentType: 'image/svg+xml',
    body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  } as const;
  const { assets, ...site } = siteOf({ ...testSite, brand: checkedBrand({ name: 'Bank', logo }) });

  it('are named after their content, so that browsers can cache them for ever', () => {
    expect(assets.map(({ name, contentType }) => [name, contentType])).toEqual([
      [expect.stringMatching(/^pages-[0-9a-f]{16}\.css$/), 'text/css; charset=utf-8'],
      [expect.stringMatching(/^icon-[0-9a-f]{16}\.svg$/), 'image/svg+xml'],
      [expect.stringMatching(/^logo-[0-9a-f]{16}\.svg$/), 'image/svg+xml'],
    ]);
    expect([site.stylesheetUrl, site.iconUrl, site.logoUrl]).toEqual(assets.map(({ name }) => `${assetPath}/${name}`));
    const otherColours = siteOf({
      ...testSite,
      brand: checkedBrand({ name: 'Bank', colours: { primary: '#3d1152' } }),
    });
    expect(otherColours.stylesheetUrl).not.toBe(site.stylesheetUrl);
  });

  it('have an icon with the first letter of the bank’s name, whatever that is, and every page names it', () => {
    const strange = siteOf({ ...testSite, brand: checkedBrand({ name: '<s>&' }) });
    expect(strange.assets.map(({ body }) => String(body)).filter((body) => body.startsWith('<svg'))).toEqual([
      expect.stringMatching(/>\s*&lt;\s*<\/text>/),
    ]);
    for (const page of Object.values(pages))
      expect(page).toContain(`<link rel="icon" href="${testSite.iconUrl}" type="image/svg+xml" />`);
  });

  it('put the logo in the place of the name, and say the name to those who cannot see it', () => {
    const page = pageStates(siteOf({ ...testSite, brand: checkedBrand({ name: 'Bank', logo }) }))['notice-ended'];
    expect(page).toContain(`<img class="brand" src="${site.logoUrl}" alt="Bank" />`);
  });
});

describe('a journey’s pages', () => {
  it('state on sign-in the TPP, the data, the end, the dates and the time that the customer has', () => {
    const text = readable('sign-in');
    for (const sentence of [
      'Copper Budget asks to see information about your accounts',
      'What Copper Budget would see Your account details',
      'How long Until 31 December 2026 at 23:59',
      'Which transactions Only those from 1 June 2025 to 31 May 2026',
      'You have 10 minutes to finish.',
      'Cancel and go back to Copper Budget',
    ])
      expect(text).toContain(sentence);
  });

  it('say so where nothing limits the access', () => {
    const text = readable('authorise-little');
    expect(text).toContain('How long Until you withdraw it');
    expect(text).toContain('Which transactions All that we can show, however old, and new ones while the access lasts');
  });

  it('never say which factor was wrong', () => {
    expect(/There is a problem .* in a row\./.exec(readable('sign-in-not-recognised'))?.[0]).toBe(
      'There is a problem We did not recognise those details. Check them and try again ' +
        'To keep your accounts safe, we pause signing in after too many failed attempts in a row.',
    );
    expect(readable('code-wrong-code')).toContain('Then, if your details are right, we send another code.');
  });

  it('say of a code that it is on its way only if the details were right, and lead back to them', () => {
    for (const name of Object.keys(pages).filter((one) => /^(dashboard-)?code/.test(one))) {
      expect(readable(name)).toContain('If those details are right, a code is on its way to the phone ending 204.');
      expect(readable(name)).not.toMatch(/we (have )?sent/i);
      expect(readable(name)).toContain('No code? Check your details');
      expect(pages[name]).toMatch(/<a href="\/as\/interaction\/7d0e\?check-details">/);
      expect(pages[name]).toMatch(/value="send-again"/);
    }
  });

  it('keep the login name filled in, and never the password', () => {
    expect(pages['sign-in-incomplete']).toMatch(/name="login_name"[^>]*value="amelia"/);
    for (const page of Object.values(pages)) expect(page).not.toMatch(/name="password"[^>]*value=/);
  });

  it('ask for login name, password and code as password managers and phones know them', () => {
    expect(pages['sign-in']).toMatch(/name="login_name"\s+type="text"\s+autocomplete="username"/);
    expect(pages['sign-in']).toMatch(/name="password"\s+type="password"\s+autocomplete="current-password"/);
    expect(pages['code']).toMatch(/name="code"\s+type="text"\s+inputmode="numeric"\s+autocomplete="one-time-code"/);
  });

  it('offer the accounts with none chosen, and both decisions on one form', () => {
    const boxes = pages['authorise']?.match(/<input\s+type="checkbox"[^>]*>/g) ?? [];
    expect(boxes.map((box) => [/value="([^"]*)"/.exec(box)?.[1], /\schecked/.test(box)])).toEqual([
      ['a1', false],
      ['a2', false],
      ['a3', false],
    ]);
    expect(pages['authorise']).toMatch(/value="approve"[\s\S]*value="deny"/);
    expect(readable('authorise')).toContain('Everyday account Current account, ending 0010');
  });

  it('confirm an access without a choice of accounts, and say since when it is given', () => {
    expect(pages['reauthenticate']).not.toContain('type="checkbox"');
    const text = readable('reauthenticate');
    expect(text).toContain(
      'You gave Copper Budget this access on 9 January 2026. Accounts and information stay the same.',
    );
    expect(text).toContain('If you choose not now, nothing changes.');
  });

  it('ask for an access that was withdrawn as for one that gives nothing now', () => {
    expect(readable('sign-in-withdrawn')).toContain(
      'It was withdrawn on 15 June 2026. Sign in if you want to give it again; Copper Budget gets nothing before you approve.',
    );
    expect(readable('sign-in-withdrawn')).toContain('What Copper Budget would see');
    const text = readable('reauthenticate-withdrawn');
    expect(text).toContain('Give Copper Budget access again');
    expect(text).toContain('It was withdrawn on 15 June 2026, and begins again when you approve.');
  });

  it.each([
    ['notice-ended', 'To continue, start again from the app or website that sent you here.'],
    ['notice-form-expired', 'We changed nothing. Continue Go back to Copper Budget'],
    ['notice-blocked', 'There were too many attempts to sign in. Wait a few minutes, then try again.'],
    ['notice-another-customer', 'Only the customer who gave Copper Budget this access can confirm it.'],
    ['notice-too-late', 'It was not completed in time'],
    ['notice-already-decided', 'It was approved, denied or withdrawn, perhaps in another window.'],
    ['notice-tpp-barred', 'shares nothing with Copper Budget, whatever you approve.'],
    ['notice-no-accounts', 'You have no account here with what Copper Budget asks to see.'],
    ['notice-bad-request', 'You did nothing wrong. We shared nothing.'],
    ['notice-unavailable', 'Try again in a few minutes. Try again Go back to Copper Budget'],
  ])('explain in plain words what happened: %s', (name, sentence) => {
    expect(readable(name)).toContain(sentence);
  });

  it('always lead on: to the TPP, to where the customer was, or to the bank’s start page', () => {
    for (const [name, page] of named.filter(([one]) => /notice-|dashboard-(form|blocked|no-access|unav)/.test(one)))
      expect([name, page.match(/<a class="button main"|value="cancel"/g)?.length]).toEqual([name, expect.any(Number)]);
    expect(pages['notice-ended']).toContain(
      '<a class="button main" href="/as/dashboard">Go to your access dashboard</a>',
    );
    const brand = checkedBrand({ name: 'Bank', startPage: 'https://bank.example/start' });
    expect(pageStates(siteOf({ ...testSite, brand }))['notice-ended']).toContain(
      '<a class="button main" href="https://bank.example/start">Go to Bank</a>',
    );
  });
});

describe('the access dashboard', () => {
  it('shows of every access its begin, its end, its last use and its last authentication', () => {
    expect(readable('dashboard')).toContain(
      'Copper Budget Access since 9 January 2026 Lasts Until 31 December 2026 at 23:59 ' +
        'Last used 15 June 2026 at 13:05 You last confirmed it was you 1 June 2026 at 08:12 ' +
        'Accounts Everyday account Current account, ending 0010',
    );
    expect(readable('dashboard')).toContain('Last used Never');
  });

  it('shows of past access how and when it ended', () => {
    expect(readable('dashboard')).toContain('Past access Copper Budget Withdrawn by you 15 June 2026 at 13:05');
    expect(readable('dashboard')).toContain('Expired 15 June 2026 at 13:05');
    expect(readable('dashboard')).toContain('Refused by you 9 January 2026');
    expect(readable('dashboard-withdrawn')).toContain('Ended by them 15 June 2026 at 13:05');
    expect(readable('dashboard-withdrawn')).toContain('Ended by us 15 June 2026 at 13:05');
  });

  it('withdraws by a link to one confirmation, whose form alone can change anything', () => {
    expect(pages['dashboard']?.match(/<form method="post"/g)).toHaveLength(1);
    expect(readable('dashboard')).toContain('Withdraw access of Copper Budget');
    const confirmation = readable('dashboard-withdraw');
    expect(confirmation).toContain('Withdraw the access of Copper Budget?');
    expect(confirmation).toContain(
      'Copper Budget can no longer see your accounts at Hartwell & Rye Bank, from this moment.',
    );
    expect(confirmation).toContain('Withdraw access Keep access');
    expect(readable('dashboard-withdrawn')).toContain('You withdrew the access of Copper Budget.');
  });

  it('says before and after that it signs out', () => {
    const limit = 'we sign you out after 5 minutes without activity, and after an hour in any case.';
    for (const name of ['dashboard-sign-in', 'dashboard', 'dashboard-withdraw'])
      expect(readable(name)).toContain(limit);
    expect(readable('dashboard-sign-in-timed-out')).toContain('We signed you out after 5 minutes without activity.');
    expect(readable('dashboard-sign-in-signed-out')).toContain('You are signed out.');
  });

  it('shows accounts that the bank does not list by their kind alone', () => {
    expect(readable('dashboard-withdrawn')).toContain('Accounts Savings account Information');
  });

  it('never says that nothing was changed where that is not known', () => {
    expect(readable('dashboard-unavailable')).toContain('Try again in a few minutes: your dashboard then shows');
    expect(readable('dashboard-unavailable')).not.toContain('changed nothing');
  });

  it('groups by TPP, also two of one name, with one folded row for each access, and the past folded', () => {
    const page = pages['dashboard-grouped'] ?? '';
    expect([...page.matchAll(/<h3><bdi>([^<]*)<\/bdi><\/h3>/g)].map(([, name]) => name)).toEqual([
      'Copper Budget',
      'Alder',
      'Alder',
    ]);
    expect(page.match(/<li class="panel card">\s*<details>/g)).toHaveLength(4);
    expect(page).toMatch(/<details class="past"\s*>\s*<summary>/);
    expect(pages['dashboard-continued']).toMatch(/<details class="past"\s+open>\s*<summary>/);
  });

  it('shows no client id, but says so where the bank knows no name', () => {
    expect(readable('dashboard-continued')).toContain('An app or website that we no longer know');
    for (const page of Object.values(pages)) expect(page).not.toMatch(/tpp-id-/);
  });

  it('leads from a later page of a list back to the first one', () => {
    expect(pages['dashboard-continued']).toContain('<a href="/as/dashboard">Back to all access</a>');
    expect(pages['dashboard']).not.toContain('Back to all access');
  });

  it('says so where there is nothing to show', () => {
    expect(readable('dashboard-empty')).toContain('Nobody has access to your accounts.');
    expect(readable('dashboard-empty')).toContain('There is no past access.');
  });
});
