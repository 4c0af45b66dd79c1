import type { Containers, ContainerLine } from './containers.js';
import type { Ended } from './container-process.js';

/**
 * Runs a command line of docker compose, by the words after `docker compose`. It knows the options that documents use.
 * @param shell variables of the shell
 */
export async function typeLine(
  containers: Containers,
  given: readonly string[],
  shell: Readonly<Record<string, string>>,
): Promise<Ended> {
  const words = [...given];
  const options = optionsBefore(words);
  const verb = words.shift();
  const { '--entrypoint': [entrypoint] = [], '-e': settings = [] } = optionsBefore(words);
  const [service = '', ...rest] = words;
  const line: ContainerLine = {
    service,
    words: rest,
    ...(entrypoint !== undefined && { entrypoint: [entrypoint] }),
    // A setting without a value has that of the shell.
    environment: Object.fromEntries(
      settings.map((setting) => [setting.split('=')[0] ?? '', setting.split('=')[1] ?? shell[setting] ?? '']),
    ),
  };
  switch (verb) {
    case 'up':
      await containers.up(...(options['--profile'] ?? []));
      return { code: 0, said: '' };
    case 'run':
      return containers.run(line);
    case 'exec':
      return containers.exec(line);
    case 'stop':
      return { code: (await containers.stop(service)) ?? 0, said: '' };
    case 'start':
      await containers.start(service);
      return { code: 0, said: '' };
    default:
      throw new Error(`docker compose ${given.join(' ')}: ${verb} is not known here`);
  }
}

/** Takes the options from the beginning of the words. */
function optionsBefore(words: string[]): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  while (words[0]?.startsWith('-')) {
    const option = words.shift() ?? '';
    const values = (found[option] ??= []);
    if (!['--build', '--rm'].includes(option)) values.push(words.shift() ?? '');
  }
  return found;
}
