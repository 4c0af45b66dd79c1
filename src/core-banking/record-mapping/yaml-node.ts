import { isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap } from 'yaml';

/** Why the file cannot be used: the path of the fault in it, and the fault. */
export class FileFault extends Error {
  override readonly name = 'FileFault';

  constructor(
    /** `transactions.columns.at`; empty for the file as a whole. */
    readonly path: string,
    readonly fault: string,
    /** Further faults of the file, each with its path. */
    readonly others: readonly string[] = [],
  ) {
    super([sentenceOf(path, fault), ...others].join('; '));
  }
}

function sentenceOf(path: string, fault: string): string {
  return path === '' ? fault : `${path} ${fault}`;
}

/** One fault for all of them, each once. @throws FileFault where there are any */
export function throwAll(faults: readonly FileFault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const all = faults.flatMap(({ path, fault, others }) => [sentenceOf(path, fault), ...others]);
  throw new FileFault(first.path, first.fault, [...new Set(all)].slice(1));
}

/** Runs all parts, also after a fault. @returns what each returns @throws FileFault with the faults of all */
export function withAllFaults<const Parts extends readonly (() => unknown)[]>(
  parts: Parts,
): { readonly [Part in keyof Parts]: ReturnType<Parts[Part]> } {
  const faults: FileFault[] = [];
  const values = parts.map((part) => {
    try {
      return part();
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      faults.push(error);
      return undefined;
    }
  });
  throwAll(faults);
  return values as { readonly [Part in keyof Parts]: ReturnType<Parts[Part]> };
}

/** @throws FileFault where the text is not YAML */
export function readYaml(text: string): YamlNode {
  // With this schema every scalar is a text: `01`, `no` and 2026-03-01 are codes like any other.
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = error.linePos?.[0] ?? { line: 1 };
    throw new FileFault('', `is not valid YAML from line ${line} on (${error.code})`);
  }
  const resolve = (node: unknown): unknown =>
    typeof node === 'object' && node !== null && 'resolve' in node
      ? (node as { resolve: (parent: unknown) => unknown }).resolve(document)
      : node;
  return new YamlNode('', document.contents, resolve);
}

/** A value in the file. It names its path in each fault. */
export class YamlNode {
  private readonly node: unknown;

  constructor(
    readonly path: string,
    node: unknown,
    private readonly resolve: (node: unknown) => unknown,
  ) {
    this.node = resolve(node);
  }

  fault(fault: string): FileFault {
    return new FileFault(this.path, fault);
  }

  get isMap(): boolean {
    return isMap(this.node);
  }

  /** A member that must be there. */
  at(name: string): YamlNode {
    const found = this.optional(name);
    if (found === undefined) throw new FileFault(this.member(name), 'is missing');
    return found;
  }

  optional(name: string): YamlNode | undefined {
    if (!isMap(this.node)) throw this.fault('must have members');
    const found = this.map.items.find(({ key }) => nameOf(key) === name);
    return found && new YamlNode(this.member(name), found.value, this.resolve);
  }

  /** The names of all members. */
  get names(): string[] {
    return this.map.items.map(({ key }) => nameOf(key));
  }

  /** Refuses a member that is missing or unknown. */
  members(needed: readonly string[], optional: readonly string[] = []): void {
    const allowed = [...needed, ...optional];
    const all =
      allowed.length === 1 ? `the only member here is ${allowed[0]}` : `the members here are ${allowed.join(', ')}`;
    const unknown = this.names.filter((name) => !allowed.includes(name));
    withAllFaults([
      ...needed.map((name) => () => this.at(name)),
      ...unknown.map((name) => () => {
        throw new FileFault(this.member(name), `is not known: ${all}`);
      }),
    ]);
  }

  text(form?: RegExp): string {
    const value = isScalar(this.node) ? this.node.value : undefined;
    if (typeof value !== 'string' || value === '') throw this.fault('must be a text');
    if (form !== undefined && !form.test(value)) throw this.fault(`must match ${form.source}`);
    return value;
  }

  /** One text, or a list of them. */
  texts(): string[] {
    if (!isSeq(this.node)) return [this.text()];
    return this.node.items.map((item) => new YamlNode(this.path, item, this.resolve).text());
  }

  /** The places of a list, or the place itself. */
  each(): YamlNode[] {
    if (!isSeq(this.node)) return [this];
    return this.node.items.map((item, index) => new YamlNode(`${this.path}[${index}]`, item, this.resolve));
  }

  word<const T extends string>(words: readonly T[]): T {
    const found = words.find((word) => word === this.text());
    if (found === undefined) throw this.fault(`must be one of ${words.join(', ')}`);
    return found;
  }

  private get map(): YAMLMap<Node, Node> {
    if (!isMap(this.node)) throw this.fault('must have members');
    return this.node as YAMLMap<Node, Node>;
  }

  private member(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}
