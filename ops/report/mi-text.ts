import { count } from '../../src/trail/words.js';
import { miRules } from './mi-tabs.js';
import type { ManagementInformation } from './mi.js';

export function miText({ month, from, to, incomplete, tabs }: ManagementInformation): string {
  return [
    `${month}, from ${from} to ${to}${incomplete ? ': the month has not ended' : ''}`,
    ...tabs.map(({ name, rows }) => `${name}: ${count(rows.length, 'row')}`),
    ...miRules,
  ].join('\n');
}
