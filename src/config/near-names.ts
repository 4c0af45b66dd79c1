import leven from 'leven';

/** A suffix that names the unit of a number. People often omit it or write a wrong unit. */
const unit = /_(MS|MILLISECONDS?|SECONDS?|MINUTES?|HOURS?|DAYS?)$/;
/** Container platforms set such variables for other services, e.g. `GATEWAY_PORT=tcp://10.0.0.1:3000`. */
const serviceLink = /^(tcp|udp|sctp):\/\//;

/**
 * Adds a line to `faults` for each variable whose name is nearly that of a setting: the gateway would ignore it. The
 * variables of other programs must pass. So short words are never compared letter by letter: `APP_PORT` is not `TPP_PORT`.
 */
export function refuseNearNames(
  given: Readonly<Record<string, string>>,
  settings: ReadonlySet<string>,
  faults: string[],
): void {
  for (const [name, value] of Object.entries(given)) {
    if (settings.has(name) || serviceLink.test(value)) continue;
    const meant = [...settings].find((setting) => isNear(name, setting));
    if (meant !== undefined) faults.push(`${name} is not a setting; did you mean ${meant}? Rename it or remove it`);
  }
}

export function isNear(name: string, setting: string): boolean {
  // Any program may use a single word: HOSTS, PORTS.
  if (!setting.includes('_')) return setting.length > 4 && plain(name) === plain(setting);
  if (name.includes('_') && name.toUpperCase() === setting) return true;
  if (name !== name.toUpperCase()) return false;
  return joined(name) === joined(setting) || plain(name) === plain(setting) || differsByTypingError(name, setting);
}

const joined = (name: string): string => name.replace(/[_-]/g, '');

/** The name without its usual variations: underscores, units, plurals, and synonyms. */
function plain(name: string): string {
  return words(name.replace(unit, '')).join('');
}

function words(name: string): string[] {
  return name.split(/[_-]/).map((word) =>
    word
      .replace(/IES$/, 'Y')
      .replace(/(?<!S)S$/, '')
      .replace(/URI$/, 'URL')
      .replace(/CERTIFICATE$/, 'CERT'),
  );
}

/** Whether two words of five letters or more differ in one letter, or in the order of two letters. */
function differsByTypingError(name: string, setting: string): boolean {
  const [given, meant] = [name.split('_'), setting.split('_')];
  const different = given.flatMap((word, index) =>
    word === meant[index] ? [] : [[word, meant[index] ?? ''] as const],
  );
  const [pair] = different;
  if (given.length !== meant.length || pair === undefined || different.length > 1) return false;
  return Math.min(pair[0].length, pair[1].length) >= 5 && isTypingError(...pair);
}

function isTypingError(one: string, other: string): boolean {
  const letters = (word: string): string => [...word].sort().join('');
  const edits = leven(one, other);
  return edits === 1 || (edits === 2 && letters(one) === letters(other));
}
