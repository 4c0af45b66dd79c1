import { errorTable, type ErrorCodes, type ErrorKind } from './error-table.js';
import { soleReasons, type RefusalReason } from './reasons.js';
import type { Field, Rule } from './rules.js';

export interface ErrorDetail {
  /** For the TPP's developer: the cause and the remedy. At most 500 characters. */
  readonly message: string;
  /** The JSON path, parameter, header or path segment at fault, e.g. `Data.Permissions[2]`. */
  readonly path?: string;
  /** Only where it differs from the kind of the answer; of the same status. */
  readonly kind?: ErrorKind;
  /** For the bank's trail: the field at fault, by declared names only, and the rule that it broke. */
  readonly field?: Field;
  readonly rule?: Rule;
}

/** The greatest number of details of one error: a body of 64 KiB can have thousands of faults, and a few are enough. */
export const mostFaults = 20;

export interface ErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Where the kind has several. */
  readonly reason?: RefusalReason;
}

/** The kinds that have one reason. */
export type KindOfOneReason = keyof typeof soleReasons;

/** An answer other than success. `details` is for the TPP; `cause` is for the bank's log, and `reason` for its trail only. */
export class OpenBankingError extends Error {
  override readonly name = 'OpenBankingError';
  readonly details: readonly ErrorDetail[];
  readonly reason: RefusalReason;

  constructor(kind: KindOfOneReason, detail: ErrorDetail | readonly ErrorDetail[], options?: ErrorOptions);
  constructor(
    kind: ErrorKind,
    detail: ErrorDetail | readonly ErrorDetail[],
    options: ErrorOptions & Required<Pick<ErrorOptions, 'reason'>>,
  );
  constructor(
    readonly kind: ErrorKind,
    detail: ErrorDetail | readonly ErrorDetail[],
    readonly options: ErrorOptions = {},
  ) {
    super(kind, { cause: options.cause });
    this.details = Array.isArray(detail) ? detail : [detail as ErrorDetail];
    this.reason = options.reason ?? soleReasons[kind as KindOfOneReason];
  }
}

/** An error as the answer states it, in the words of no version but for its codes. */
export interface StatedError {
  /** The status in short. */
  readonly code: string;
  readonly id: string;
  readonly message: string;
  readonly faults: readonly StatedFault[];
}

export interface StatedFault {
  readonly ErrorCode: string;
  readonly Message: string;
  readonly Path?: string;
  readonly Url: string;
}

/** How a version writes an error. */
export interface ErrorWords {
  readonly codes: ErrorCodes;
  toBody(error: StatedError): object;
}

/** The parts that all errors of one gateway share, in one version of the API. */
export interface ErrorNames {
  /** The bank's own prefix of error codes. */
  readonly bankPrefix: string;
  readonly helpUrl: string;
  readonly words: ErrorWords;
}

/** The body of an error, or `undefined` where the version has none for it. */
export function errorBody(error: OpenBankingError, id: string, names: ErrorNames): object | undefined {
  const { code } = errorTable[error.kind];
  const errorCode = errorCodeOf(error.kind, names);
  if (errorCode === undefined) return undefined;
  return names.words.toBody({
    code,
    id,
    message: (error.details[0]?.message ?? code).slice(0, 500),
    faults: error.details.map(({ message, path, kind = error.kind }) => ({
      ErrorCode: errorCodeOf(kind, names) ?? errorCode,
      Message: message.slice(0, 500),
      ...(path === undefined ? {} : { Path: path.slice(0, 500) }),
      Url: `${names.helpUrl}#${kind}`,
    })),
  });
}

/** The error code of a kind at this bank; `undefined` where its answer has no body. */
export function errorCodeOf(
  kind: ErrorKind,
  { bankPrefix, words }: Pick<ErrorNames, 'bankPrefix' | 'words'>,
): string | undefined {
  return words.codes[kind]?.replace('{bank}', bankPrefix);
}
