import 'reflect-metadata';
import { Expose, plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, IsString, Length, Matches, validateSync } from 'class-validator';
import { accessEnders, type AccessEnder } from './consent.js';

/**
 * The kinds of a journal's lines. A reinstatement withdraws nothing; with it a recovery does not suspend for good a TPP that
 * the bank has reinstated since.
 */
export const journalEvents = [
  'consent-revoked',
  'access-ended',
  'consent-deleted',
  'authorisation-ended',
  'tpp-suspended',
  'tpp-reinstated',
  'tpp-deleted',
  'tpp-consents-revoked',
] as const;
export type JournalEvent = (typeof journalEvents)[number];

/** One line of the revocation journal: ids and a time, and nothing of the customer. */
export class JournalEntry {
  /** When it happened, in UTC to the millisecond. */
  @Expose() @Matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) at!: string;
  @Expose() @IsIn(journalEvents) event!: JournalEvent;
  /** Of the consent, the authorisation or the TPP. */
  @Expose() @IsString() @Length(1, 1_000) id!: string;
  /** With `consent-revoked` and `access-ended`. */
  @Expose() @IsOptional() @IsIn(accessEnders) by?: AccessEnder;
}

/** The entry that the line is; `undefined` where it is none. */
export function readEntry(line: string): JournalEntry | undefined {
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return undefined;
  const entry = plainToInstance(JournalEntry, content, { excludeExtraneousValues: true });
  return validateSync(entry).length === 0 && !Number.isNaN(Date.parse(entry.at)) ? entry : undefined;
}
