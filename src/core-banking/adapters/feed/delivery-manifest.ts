import { RowFault } from '../../../../packages/core-adapter/core-rows.js';
import { FileFault, readYaml, type YamlNode } from '../../record-mapping/yaml-node.js';
import { timeOf } from '../../record-mapping/times.js';
import { openDelivered } from './delivered-texts.js';
import { DeliveryRefused } from './delivery-loading.js';
import type { FeedFile, Part } from './feed-file.js';

/** A file of a delivery, and the bank's own count of its content. */
export interface DeliveredFile {
  readonly name: string;
  readonly rows: number;
  /** The sum of all amounts with their signs, whatever their currencies, in ten-thousandths. */
  readonly sum?: bigint;
}

export interface DeliveryManifest {
  readonly id: string;
  /** The data are as the core had them at this time. */
  readonly asOf: Date;
  /** The delivery before, where this one adds to its history. */
  readonly follows?: string;
  readonly files: Readonly<Partial<Record<Part, readonly DeliveredFile[]>>>;
}

const manifestName = 'delivery.yaml';

/** @throws DeliveryRefused where it is missing or wrong */
export async function readManifest(folder: string, file: FeedFile): Promise<DeliveryManifest> {
  const opened = await openDelivered(folder, manifestName);
  try {
    return manifestOf(readYaml(await opened.readFile('utf8')), file);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new DeliveryRefused('broken', `${manifestName}: ${error.message}`);
  } finally {
    await opened.close();
  }
}

function manifestOf(node: YamlNode, file: FeedFile): DeliveryManifest {
  const parts = Object.keys(file.parts) as Part[];
  node.members(['id', 'asOf', 'files'], ['follows']);
  const files = node.at('files');
  files.members(parts);
  const follows = node.optional('follows')?.text(idForm);
  if (file.history === 'added' && follows === undefined)
    throw node.fault('has no member follows: the id of the delivery to whose history this one adds, or "none"');
  return {
    id: node.at('id').text(idForm),
    asOf: asOfTime(node.at('asOf')),
    ...(follows !== undefined && { follows }),
    files: Object.fromEntries(parts.map((part) => [part, files.at(part).each().map(deliveredFile)])),
  };
}

const idForm = /^[\w.:-]{1,100}$/;

function asOfTime(node: YamlNode): Date {
  try {
    return timeOf(node.text(), 'instant', undefined, 'asOf') as Date;
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    throw node.fault('must be a time with its zone, such as 2026-11-20T23:59:59Z');
  }
}

function deliveredFile(node: YamlNode): DeliveredFile {
  node.members(['file', 'rows'], ['sum']);
  const sum = node.optional('sum')?.text(/^-?\d{1,30}(\.\d{1,4})?$/);
  return {
    // A name, and no path: a delivery reads no other folder.
    name: node.at('file').text(/^(?!\.)[\w.-]{1,100}$/),
    rows: Number(node.at('rows').text(/^\d{1,12}$/)),
    ...(sum !== undefined && { sum: tenThousandths(sum) }),
  };
}

function tenThousandths(decimal: string): bigint {
  const [integer = '', fraction = ''] = decimal.split('.');
  return BigInt(integer + fraction.padEnd(4, '0'));
}
