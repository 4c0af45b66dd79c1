import { readFileSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import {
  type AccountRead,
  accountReads,
  type FundsRead,
  type PendingSupport,
} from '../../../packages/core-adapter/core.adapter.js';
import { CoreSettingFault } from '../../../packages/core-adapter/core-settings.js';
import { FileFault, type YamlNode, withAllFaults } from './yaml-node.js';
import type { Fields } from './field-kinds.js';
import { fieldsOfReads } from './record-fields.js';

/** The core as its bank's file describes it, however the records are read. */
export interface MappedCore {
  readonly name: string;
  readonly pending: PendingSupport;
  readonly maxTransactionHistory?: string;
  /** The zone of the clocks by which the core writes local times. */
  readonly timeZone?: string;
}

/** @throws FileFault */
export function readCore(file: YamlNode): MappedCore {
  const timeZone = file.optional('timeZone')?.text();
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw file.at('timeZone').fault('must be an IANA name, such as Europe/London');
  const maxTransactionHistory = file.optional('maxTransactionHistory')?.text(/^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?$/);
  return {
    name: file.at('name').text(/^[a-z][a-z0-9-]{0,39}$/),
    pending: file.at('pending').word(['none', 'id-kept', 'id-changes']),
    ...(timeZone !== undefined && { timeZone }),
    ...(maxTransactionHistory !== undefined && { maxTransactionHistory }),
  };
}

/** The reads that the file maps, and why it does not have the others. */
interface MappedReads<Mapped> {
  readonly reads: Readonly<Partial<Record<AccountRead, Mapped>>>;
  readonly missing: Readonly<Partial<Record<AccountRead | FundsRead, string>>>;
}

/**
 * @param unmapped why no file can have a read whose records cannot be mapped
 * @param others further reads that the file may say to be missing
 * @throws FileFault where a read is neither mapped nor said to be missing, or both
 */
export function readReads<Mapped>(
  file: YamlNode,
  unmapped: string,
  readOne: (read: AccountRead, node: YamlNode, fields: Fields) => Mapped,
  others: readonly FundsRead[] = [],
): MappedReads<Mapped> {
  const reads: Partial<Record<AccountRead, Mapped>> = {};
  const missing: Partial<Record<AccountRead | FundsRead, string>> = {};
  const reasons = file.optional('missing');
  reasons?.members([], [...accountReads, ...others]);
  const take = (read: AccountRead): void => {
    const fields = fieldsOfReads[read];
    const [node, reason] = [file.optional(read), reasons?.optional(read)];
    if (fields === undefined) missing[read] = unmapped;
    else if (node === undefined) {
      if (reason === undefined) throw file.fault(`has neither ${read} nor missing.${read}, which says why`);
      missing[read] = reason.text();
    } else if (reason !== undefined) throw reason.fault(`is served by ${read}`);
    else reads[read] = readOne(read, node, fields);
  };
  withAllFaults(accountReads.map((read) => () => take(read)));
  for (const read of others) {
    const reason = reasons?.optional(read)?.text();
    if (reason !== undefined) missing[read] = reason;
  }
  return { reads, missing };
}

/** The bank's file that a setting names. @throws CoreSettingFault */
export function readNamedFile<File>(setting: string, path: string, read: (text: string) => File): File {
  if (!isAbsolute(path)) throw new CoreSettingFault(setting, 'must be the absolute path of the bank’s YAML file');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new CoreSettingFault(setting, 'must be a file that can be read');
  }
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new CoreSettingFault(setting, `${basename(path)}: ${error.message}`);
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
