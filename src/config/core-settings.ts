import type { CoreConfig } from './core-config.js';
import { CoreOfSeveral, type CoreEnvironment } from './core-environment.dto.js';
import type { Environment } from './environment.dto.js';
import { allowsPlain, plainSwitch, refusePlainCore } from './plain-connections.js';
import { readSettings } from './read-settings.js';
import { declaredSettings } from './setting.js';
import { listOf } from './setting-kinds.js';

type Variables = Readonly<Record<string, string>>;

const ofEachCore = declaredSettings(CoreOfSeveral).map(({ name }) => name);

/** A text with the names of a single core's settings, e.g. `CORE_URL`, as a core of `CORES` has them: `CORE_CARDS_URL`. */
export function settingOfCore(core: string | undefined, text: string): string {
  return core === undefined ? text : text.replace(/\bCORE_/g, `CORE_${core.toUpperCase()}_`);
}

/** The names of the gateway's own settings of each core. */
export function settingNamesOfCores(cores: string | undefined): string[] {
  return namesIn(cores).flatMap((core) => ofEachCore.map((setting) => settingOfCore(core, setting)));
}

/** The single core of `CORE`, or each core of `CORES`. Each wrong setting adds a line to `faults`. */
export function readCores(given: Variables, environment: Environment, faults: string[]): readonly CoreConfig[] {
  const { CORES, FIRST_CORE, CORE } = environment;
  if (CORES === undefined) {
    if (FIRST_CORE !== undefined) faults.push('FIRST_CORE is for several cores: set CORES, or remove FIRST_CORE');
    return [{ adapter: CORE, ...partOf(environment), variables: variablesUnder('CORE_', given) }];
  }
  const names = namesIn(CORES);
  if (given['CORE'] !== undefined) faults.push('CORE and CORES exclude each other: set one of them');
  if (new Set(names).size < names.length) faults.push('CORES names a core twice');
  if (FIRST_CORE !== undefined && !names.includes(FIRST_CORE)) faults.push('FIRST_CORE must be a name of CORES');
  for (const setting of ofEachCore.filter((name) => given[name] !== undefined))
    faults.push(
      `${setting} is for a single core: with CORES set ${names.map((name) => settingOfCore(name, setting)).join(', ')}`,
    );
  return names.map((name) => coreOf(name, name === FIRST_CORE, given, faults));
}

function coreOf(name: string, isFirst: boolean, given: Variables, faults: string[]): CoreConfig {
  const variables = variablesUnder(settingOfCore(name, 'CORE_'), given);
  const own: string[] = [];
  const settings = readSettings(CoreOfSeveral, variables, own);
  refusePlainCore(settings, allowsPlain(given[plainSwitch]), own);
  faults.push(...own.map((fault) => settingOfCore(name, fault)));
  const holds = settings.CORE_HOLDS && listOf(settings.CORE_HOLDS).map((product) => product.trim());
  return {
    name,
    ...(!isFirst && { recordedAs: name }),
    adapter: settings.CORE_ADAPTER ?? name,
    ...partOf(settings),
    ...(holds && { holds }),
    variables,
  };
}

function partOf({ CORE_URL: url, CORE_DEADLINE_MS: deadlineMs, CORE_CONNECTIONS: connections }: CoreEnvironment) {
  // A missing URL is a fault that `readSettings` reports.
  return { url: (url as string | undefined)?.replace(/\/+$/, '') ?? '', deadlineMs, connections };
}

/**
 * The variables that begin with the prefix, under the names that an adapter of a single core reads. An adapter whose
 * connections the gateway does not know refuses plain ones itself, and needs the switch for that.
 */
export function variablesUnder(prefix: string, given: Variables): Variables {
  const own = Object.entries(given)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [`CORE_${name.slice(prefix.length)}`, value] as const);
  return Object.fromEntries([...own, ...Object.entries(given).filter(([name]) => name === plainSwitch)]);
}

function namesIn(cores: string | undefined): string[] {
  return cores === undefined ? [] : listOf(cores);
}
