import 'reflect-metadata';
import { Expose, plainToInstance } from 'class-transformer';
import { IsIn, IsOptional, IsString, Length, Matches, ValidateIf, validateSync } from 'class-validator';
import { issuerName, tppId, type TppId } from '../../open-banking/tpp-id.js';
import { accessEnders, type AccessEnder, type Consent } from '../consent.js';

/**
 * The kinds of a journal's lines. A reinstatement withdraws nothing. It is there so that a recovery does not suspend a TPP
 * which the bank has reinstated since.
 */
const journalEvents = [
  'consent-revoked',
  'access-ended',
  'consent-deleted',
  'authorisation-ended',
  'tpp-suspended',
  'tpp-reinstated',
  'tpp-deleted',
  'tpp-consents-revoked',
] as const;
type JournalEvent = (typeof journalEvents)[number];

/** One line of the revocation journal: ids and a time, and no data of the customer. */
export class JournalEntry {
  /** The time of the event, in UTC to the millisecond. */
  @Expose() @Matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) at!: string;
  @Expose() @IsIn(journalEvents) event!: JournalEvent;
  /** The id of the consent or the authorisation, or the client id of the TPP. */
  @Expose() @IsString() @Length(1, 1_000) id!: string;
  /** The issuer of the TPP, where the event is about a TPP. */
  @Expose() @ValidateIf(isOnTpp) @Matches(issuerName) issuer?: string;
  /** With `consent-revoked` and `access-ended`. */
  @Expose() @IsOptional() @IsIn(accessEnders) by?: AccessEnder;
}

function isOnTpp({ event }: Pick<JournalEntry, 'event'>): boolean {
  return typeof event === 'string' && event.startsWith('tpp-');
}

export function tppOf({ issuer, id }: JournalEntry): TppId {
  if (issuer === undefined) throw new Error('the entry of the journal is about no TPP');
  return tppId(issuer, id);
}

export function entryOnTpp(event: JournalEvent, { issuer, clientId }: TppId, at: Date): JournalEntry {
  return { at: at.toISOString(), event, id: clientId, issuer };
}

/** An entry about a consent whose access has ended. */
export function entryOnConsent({ consentId, status }: Consent, ended: NonNullable<Consent['ended']>): JournalEntry {
  const event = status === 'revoked' ? 'consent-revoked' : 'access-ended';
  return { at: ended.at.toISOString(), event, id: consentId, by: ended.by };
}

/** Parses the line; `undefined` where the line is not an entry. */
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
