import { Transform } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsIn,
  IsInt,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  Validate,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { isIP } from 'node:net';
import { howToMakeSecret } from './secrets.js';

/** The rule of a value: in words for the document, and as checks of the class. */
export interface Kind {
  readonly type: string;
  readonly secret?: true;
  readonly checks: readonly PropertyDecorator[];
}

/** The mark between the values of a list. So no value of a list has a comma. */
const comma = ',';

/** The values of a list. */
export function listOf(text: string): string[] {
  return text.split(comma);
}

/** Converts text to a number only where all of it is a number. `80x` and an empty value are refused, not guessed. */
const number = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value,
);
const list = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? listOf(value) : value));
const trimmedList = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? listOf(value).map((one) => one.trim()) : value,
);

export const text: Kind = { type: 'text', checks: [IsString(), MinLength(1)] };
export const file: Kind = { type: 'path of a file', checks: [IsString(), MinLength(1)] };
export const folder: Kind = { type: 'path of a folder', checks: [IsString(), MinLength(1)] };
export const port = integer('port', 0, 65_535);

export function integer(unit: string, least: number, most: number): Kind {
  return { type: `${unit}, ${least} to ${most}`, checks: [number, IsInt(), Min(least), Max(most)] };
}

export function oneOf(words: readonly string[]): Kind {
  return {
    type: words
      .map((word) => `\`${word}\``)
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' or '),
    checks: [IsIn(words)],
  };
}

/** @param rule the end of a sentence: `must be …` */
export function matching(type: string, form: RegExp, rule: string): Kind {
  return { type, checks: [Matches(form, { message: `$property ${rule}` })] };
}

const hostUrl = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };
export const webUrl: Kind = { type: 'URL', checks: [IsUrl(hostUrl)] };

/** Only the adapter knows which schemes its core has; the URL of a folder has no host. */
export const coreUrl: Kind = {
  type: 'URL',
  checks: [
    IsUrl({ ...hostUrl, require_valid_protocol: false, require_host: false }, { message: coreUrlFault() }),
    Matches(/^(file:\/\/\/|\w+:\/\/(?!\/))./, { message: coreUrlFault() }),
  ],
};

function coreUrlFault(): string {
  return '$property must be a URL with its scheme, such as http://core.bank.example';
}

/** A missing or short secret is refused with a command that makes one. */
const longEnough = `$property must be a secret of at least 32 characters: ${howToMakeSecret}`;
/** A request could never send any other value. */
const inHeader = {
  form: /^[!-~]([ -~]*[!-~])?$/,
  message: '$property must be printable ASCII without a space at its ends: it is sent in a header',
};

export const secret: Kind = { type: 'secret', secret: true, checks: [MinLength(32, { message: longEnough })] };
export const headerSecret: Kind = {
  ...secret,
  checks: [...secret.checks, Matches(inHeader.form, { message: inHeader.message })],
};

/** Several with commas between them: the first is the present one. */
export const secrets: Kind = {
  type: 'secret, or several with commas between them',
  secret: true,
  checks: [list, MinLength(32, { each: true, message: longEnough })],
};
export const headerSecrets: Kind = {
  ...secrets,
  checks: [...secrets.checks, Matches(inHeader.form, { each: true, message: inHeader.message })],
};
/** The form that the bank's port reads. */
export const bearers: Kind = {
  ...secrets,
  checks: [
    ...secrets.checks,
    Matches(/^[!-~]+$/, {
      each: true,
      message: '$property must be printable ASCII without spaces: it is sent as a bearer credential',
    }),
  ],
};

@ValidatorConstraint({ name: 'range' })
class Range implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    const [network = '', prefix = ''] = String(value).split('/');
    const version = isIP(network);
    return version !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
  }
  defaultMessage(): string {
    return '$property must be a comma-separated list of address ranges such as 10.0.0.0/8';
  }
}

export const addressRanges: Kind = {
  type: 'address ranges (CIDR) with commas between them',
  checks: [trimmedList, ArrayNotEmpty(), Validate(Range, { each: true })],
};
