/** The places of a statement in which a colon is not a parameter, and then the parameters. */
const tokens =
  /[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|::|:([a-z_]+)/g;

/** The names of the parameters of a statement, such as `account` for `:account`. */
export function parametersIn(sql: string): string[] {
  return [...sql.matchAll(tokens)].flatMap(([, , name]) => name ?? []);
}

/** A statement with the driver's placeholders, and the names of their values in that order. */
export interface PositionedStatement {
  readonly text: string;
  readonly names: readonly string[];
}

/** The statements of an adapter, which are a few dozen, each written for the driver once. */
export class PositionedStatements {
  private readonly texts = new Map<string, PositionedStatement>();

  constructor(private readonly placeholder: (position: number) => string) {}

  withPlaceholders(sql: string): PositionedStatement {
    let text = this.texts.get(sql);
    if (text === undefined) this.texts.set(sql, (text = positioned(sql, this.placeholder)));
    return text;
  }
}

/**
 * Writes `:name` as the driver does. Each occurrence has its own placeholder, because one column may hold account numbers
 * as texts and a second column as numbers, and a placeholder has one type.
 */
export function positioned(sql: string, placeholder: (position: number, name: string) => string): PositionedStatement {
  const names: string[] = [];
  const text = sql.replace(tokens, (token: string, _quote: string | undefined, name: string | undefined) =>
    name === undefined ? token : placeholder(names.push(name), name),
  );
  return { text, names };
}
