/** One request to the bank's API and its answer, as they were sent. It holds only the beginning of a token. */
export interface Exchange {
  readonly request: {
    readonly line: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** The answer's JSON; `undefined` if the answer is not JSON. */
  readonly json: unknown;
}

/** The text at a path of JSON; `undefined` if that place has no text. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    value,
  );
  return typeof found === 'string' ? found : undefined;
}

/** The records of an answer, by the name that the standard gives their list. */
export function listIn(json: unknown, name: string): readonly unknown[] {
  const list = ((json as { Data?: unknown } | undefined)?.Data as Record<string, unknown> | undefined)?.[name];
  return Array.isArray(list) ? list : [];
}

/** The JSON of a text; `undefined` if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
