/** The parts of a request that differ between requests. */
export interface CollectionRequest {
  readonly name: string;
  readonly description?: string;
  readonly method: string;
  /** At the bank's address for TPPs. */
  readonly path: string;
  /** The variable with the access token, if the request needs one. */
  readonly token?: string;
  readonly query?: readonly Field[];
  readonly headers?: readonly Field[];
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** Lines of JavaScript. */
  readonly before?: readonly string[];
  readonly tests: readonly string[];
}

/** A field that the TPP may send: a disabled one is there to be switched on. */
export interface Field {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly disabled?: boolean;
}

/** The request as Postman's collection format 2.1 writes it. */
export function itemOf(request: CollectionRequest): object {
  const { name, description, method, path, token, query = [], headers = [], before, tests } = request;
  const url = `{{bank}}${path}`;
  return {
    name,
    request: {
      method,
      description,
      url: { raw: url, host: ['{{bank}}'], path: path.split('/').slice(1), query },
      header: [...headers, ...(request.json === undefined ? [] : [{ key: 'content-type', value: 'application/json' }])],
      auth: token === undefined ? { type: 'noauth' } : bearer(token),
      body: bodyOf(request),
    },
    event: [...(before === undefined ? [] : [script('prerequest', before)]), script('test', tests)],
  };
}

function bearer(variable: string): object {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] };
}

function bodyOf({ form, json }: CollectionRequest): object | undefined {
  if (json !== undefined) return { mode: 'raw', raw: JSON.stringify(json, undefined, 2) };
  if (form === undefined) return undefined;
  return { mode: 'urlencoded', urlencoded: Object.entries(form).map(([key, value]) => ({ key, value })) };
}

function script(listen: 'prerequest' | 'test', exec: readonly string[]): object {
  return { listen, script: { type: 'text/javascript', exec } };
}
