import { Command, InvalidArgumentError, Option } from 'commander';
import { type VersionName, versionNames } from '../src/versions/versions.js';
import { shownReads, type ShownRead } from './preview.js';

/** The words of `preview`. */
export interface PreviewOptions {
  readonly customer: string;
  readonly account?: string;
  readonly read?: ShownRead;
  readonly rows: number;
  readonly api: VersionName;
}

/** The work of each command. */
export interface Actions {
  readonly new: (name: string, into: string | undefined) => Promise<void>;
  readonly newSignOn: (name: string, into: string | undefined) => Promise<void>;
  readonly check: (name: string) => Promise<void>;
  readonly preview: (name: string, options: PreviewOptions) => Promise<void>;
}

const notes = `
NAME may be a path: of a separate repository's folder, or of its compiled module NAME.adapter.js, which has its kit
NAME.kit.js next to it. preview reads CORE_URL, CORE_CONNECTIONS and the adapter's own CORE_* settings, as the gateway does.`;

export function adapterProgram(actions: Actions): Command {
  const program = new Command('npm run adapter --')
    .description('Tools for engineers who add a core or a sign-on.')
    .addHelpText('after', notes);
  for (const [name, help, make] of [
    ['new', 'an adapter that compiles, its line in the registry, and a kit that fails', actions.new],
    ['new-sign-on', "the same for the bank's sign-on", actions.newSignOn],
  ] as const)
    program
      .command(name)
      .argument('<NAME>')
      .description(help)
      .option('--into <FOLDER>', 'in a separate repository: no line in the registry')
      .action((adapter: string, { into }: { readonly into?: string }) => make(adapter, into));
  program
    .command('check')
    .argument('<NAME>')
    .description('the kit, clause by clause')
    .action((name: string) => actions.check(name));
  addPreview(program, actions.preview);
  return program;
}

function addPreview(program: Command, preview: Actions['preview']): void {
  program
    .command('preview')
    .argument('<NAME>')
    .description(
      'the core’s records of each read, one by one, with the adapter’s records and the resources that they become',
    )
    .requiredOption('--customer <REF>', 'whose accounts')
    .option('--account <REF>')
    .addOption(new Option('--read <READ>').choices(shownReads))
    .addOption(new Option('--api <VERSION>', 'of the resources').choices(versionNames).default(versionNames[0]))
    .option('--rows <N>', 'records of each read', rowCount, 3)
    .action((name: string, options: PreviewOptions) => preview(name, options));
}

function rowCount(rows: string): number {
  if (!/^[1-9]\d{0,4}$/.test(rows)) throw new InvalidArgumentError('It is a number from 1 to 99999.');
  return Number(rows);
}
