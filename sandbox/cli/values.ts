import type { ConsentOptions } from '../actions/consent.js';
import type { NewTpp } from '../actions/new-tpp.js';
import type { VersionName } from '../../src/versions/versions.js';
import { UsageError } from '../../src/command-line/command.js';

/** Reads the words of a command line as the values that actions take. */

export interface PersonaWords {
  readonly persona?: string;
  readonly customer?: string;
}

export interface ConsentWords extends PersonaWords {
  readonly permissions?: string;
  readonly accounts?: string;
  readonly authenticatedAgo?: string;
  readonly from?: string;
  readonly to?: string;
  readonly expires?: string;
  readonly api?: VersionName;
}

export interface FundsWords extends PersonaWords {
  readonly account?: string;
  readonly amount: string;
  readonly api?: VersionName;
}

export interface JourneyWords extends PersonaWords {
  readonly wait?: boolean;
  readonly api?: VersionName;
}

export interface NewTppWords {
  readonly name: string;
  readonly redirect: string;
  readonly fapi?: string;
  readonly auth?: string;
  readonly agent?: string;
  readonly api?: VersionName;
  readonly funds?: boolean;
}

/** The name, or the core's reference. */
export function personaIn({ persona, customer }: PersonaWords): string {
  const named = persona ?? customer ?? '';
  if (named === '')
    throw new UsageError('name --persona NAME or --customer REF, as `npm run sandbox -- personas` lists them');
  return named;
}

export function consentOptions(words: ConsentWords): ConsentOptions {
  return {
    persona: personaIn(words),
    permissions: listUnlessAll(words.permissions),
    accounts: listUnlessAll(words.accounts),
    authenticatedAgoMs: durationMs('--authenticated-ago', words.authenticatedAgo ?? '0s'),
    from: dateTime(words.from),
    to: dateTime(words.to),
    expires: dateTime(words.expires),
    api: words.api,
  };
}

/** The name ends up in a certificate, in a file of settings and in the name of a folder. */
const tppName = /^(?=.*[a-z0-9])[\p{L}\p{N}][\p{L}\p{N} .,&'()-]{0,59}$/iu;

export function newTpp({ name, agent, redirect, fapi, auth, api, funds }: NewTppWords): NewTpp {
  for (const [flag, one] of Object.entries({ name, agent }))
    if (one !== undefined && !tppName.test(one))
      throw new UsageError(
        `--${flag} has up to 60 letters, digits, spaces and .,&'()-, and begins with a letter or a digit`,
      );
  if (!URL.canParse(redirect)) throw new UsageError('--redirect is a URI, e.g. http://localhost:4000/callback');
  const byCertificate = auth === 'certificate';
  if (byCertificate && fapi === '1')
    throw new UsageError('--auth certificate goes with --fapi 2: under FAPI 1 a key signs each authorization request');
  return {
    name,
    ...(agent !== undefined && { agent }),
    redirectUri: redirect,
    fapi: byCertificate || fapi === '2' ? '2' : '1',
    ...(byCertificate && { auth: 'certificate' }),
    ...(api && { api }),
    ...(funds === true && { scope: 'fundsconfirmations' }),
  };
}

function listUnlessAll(value = 'all'): string[] | undefined {
  return value === 'all' ? undefined : value.split(',').filter((item) => item !== '');
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @param word of the command line before the value */
export function durationMs(word: string, value: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  const ms = unitMs[unit ?? ''];
  if (ms === undefined) throw new UsageError(`${word} ${value}: write it like 90s, 6m, 2h or 1d`);
  return Number(count) * ms;
}

/** A plain day is its beginning, UTC. Anything else goes to the gateway as it is, which checks it. */
function dateTime(value: string | undefined): string | undefined {
  return value !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00+00:00` : value;
}
