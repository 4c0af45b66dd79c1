import type { CoreMoney } from '../../packages/core-adapter/core.records.js';
import type { YamlNode } from '../../src/core-banking/record-mapping/yaml-node.js';
import { decimalOf } from './expressed-records.js';

/** Fields by their paths, each as a person would write it: `GBP -6.50`, `2026-07-01T22:30:00Z`, `2026-07-01`, `true`. */
export type Meaning = ReadonlyMap<string, string>;

const omitted = 'omitted';

export function meaningOf(record: object): Meaning {
  return new Map(shown(record));
}

function shown(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    const here = path === '' ? name : `${path}.${name}`;
    if (inner === undefined) return [];
    if (inner instanceof Date) return [[here, inner.toISOString().replace('.000Z', 'Z')]];
    if (typeof inner !== 'object' || inner === null) return [[here, String(inner)]];
    if ('minorUnits' in inner) {
      const { currency, minorUnits } = inner as CoreMoney;
      return [[here, `${currency} ${decimalOf(minorUnits, currency)}`]];
    }
    return 'date' in inner ? [[here, String(inner.date)]] : shown(inner as object, here);
  });
}

/** `{ kind: booked, creditor.name: A Friend }`. */
export function textOfMeaning(meaning: Meaning): string {
  const members = [...meaning].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => `${name}: ${text}`);
  return `{ ${members.join(', ')} }`;
}

/** @param read `undefined` for a row that the mapping leaves out */
export function differencesOf(read: Meaning | undefined, meaning: YamlNode): string[] {
  if (!meaning.isMap) {
    meaning.word([omitted]);
    return read === undefined ? [] : ['the mapping reads it, and it means omitted'];
  }
  if (read === undefined) return ['the mapping leaves it out, and it means a record'];
  const meant = new Map(membersOf(meaning));
  return [...new Set([...meant.keys(), ...read.keys()])]
    .filter((name) => meant.get(name) !== read.get(name))
    .map((name) => `${name} is read as ${read.get(name) ?? 'nothing'}, and means ${meant.get(name) ?? 'nothing'}`);
}

/** The fields of a record in the examples, by their paths. */
export function membersOf(place: YamlNode, path = ''): [string, string][] {
  return place.names.flatMap((name): [string, string][] => {
    const [member, here] = [place.at(name), path === '' ? name : `${path}.${name}`];
    return member.isMap ? membersOf(member, here) : [[here, member.text()]];
  });
}
