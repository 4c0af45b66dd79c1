import type { Ajv2020 as Ajv, ValidateFunction } from 'ajv/dist/2020.js';
import ajvModule from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { neutralErrors } from '../../src/endpoint/neutral-errors.js';

/** The parts of an answer that a document describes. */
export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: string;
  readonly json: unknown;
}

interface Ref {
  readonly $ref: string;
}
interface Header {
  readonly required?: boolean;
  readonly schema: object;
}
interface Response {
  readonly headers?: Readonly<Record<string, Header | Ref>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
type Responses = Readonly<Record<string, Response | Ref>>;
type Operations = Readonly<Record<string, { readonly responses: Responses }>>;
interface Document {
  readonly paths: Readonly<Record<string, Operations>>;
  readonly components: { readonly responses: Responses; readonly schemas: Readonly<Record<string, object>> };
}

/**
 * Throws unless the gateway's OpenAPI document declares the answer: its status, its headers, its body without one further
 * member, and no body where none is declared.
 */
export function checkAgainstDocument(served: object, method: string, url: string, answer: CheckedAnswer): void {
  const faults = documentOf(served).faults(method.toLowerCase(), pathOf(url), answer);
  if (faults.length > 0)
    throw new Error(
      `${method} ${url} -> ${answer.status} is not the answer that the gateway’s OpenAPI document declares:\n` +
        `${faults.map((fault) => `  ${fault}`).join('\n')}\n  body: ${answer.body.slice(0, 1_000)}`,
    );
}

/** The same for an address below no version that the gateway serves: 401 without a body, or an error in words of no version. */
export function checkOfNoVersion(method: string, url: string, answer: CheckedAnswer): void {
  if (answer.body === '' && (answer.status === 401 || method === 'HEAD')) return;
  if (answer.status < 400 || !fitsNeutralError(answer.json))
    throw new Error(`${method} ${url} -> ${answer.status} is not an error in words of no version:\n${answer.body}`);
}

const ownFormats = new ajvModule.Ajv2020({ strict: false });
formats.default(ownFormats);
const fitsNeutralError = ownFormats.compile(closed(neutralErrors.schema) as object);

class CheckedDocument {
  private readonly document: Document;
  private readonly ajv: Ajv;
  private readonly templates: readonly { readonly pattern: RegExp; readonly operations: Operations }[];
  private readonly validators = new Map<object, ValidateFunction>();

  constructor(served: object) {
    this.document = closed(served) as Document;
    this.ajv = new ajvModule.Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
    formats.default(this.ajv);
    for (const [name, schema] of Object.entries(this.document.components.schemas)) this.ajv.addSchema(schema, name);
    this.templates = Object.entries(this.document.paths).map(([path, operations]) => ({
      pattern: templatePattern(path),
      operations,
    }));
  }

  faults(method: string, path: string, answer: CheckedAnswer): string[] {
    const declared = this.declared(method, path, answer.status);
    if (declared === undefined) return ['the status is not declared for this path and method'];
    const response = this.resolved(declared);
    return [...this.headerFaults(response, answer), ...this.bodyFaults(response, answer, method)];
  }

  private declared(method: string, path: string, status: number): Response | Ref | undefined {
    const operations = this.templates.find(({ pattern }) => pattern.test(path))?.operations;
    const operation = operations?.[method];
    if (operation !== undefined) return operation.responses[status];
    // Where there is no operation, the gateway still checks the token first, then the path, then the method.
    const names = new Map<number, string>([
      [401, 'Unauthorised'],
      [429, 'TooManyRequests'],
      operations === undefined ? [404, 'NotFound'] : [405, 'MethodNotAllowed'],
    ]);
    return this.document.components.responses[names.get(status) ?? ''];
  }

  private headerFaults({ headers = {} }: Response, answer: CheckedAnswer): string[] {
    return Object.entries(headers).flatMap(([name, header]) => {
      const { required, schema } = this.resolved(header);
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) return required ? [`the header ${name} is missing`] : [];
      return this.schemaFaults(schema, value, `the header ${name}`);
    });
  }

  private bodyFaults({ content }: Response, answer: CheckedAnswer, method: string): string[] {
    if (content === undefined || method === 'head') return answer.body === '' ? [] : ['there must be no body'];
    // OpenAPI cannot say that a body is absent at times: the one that is declared for 401 is of an expired token alone.
    if (answer.status === 401 && !isOfExpiredToken(answer))
      return answer.body === '' ? [] : ['only an expired token has a body'];
    if (answer.headers['content-type'] !== 'application/json; charset=utf-8')
      return [`the content type is ${String(answer.headers['content-type'])}`];
    const schema = content['application/json']?.schema;
    return schema === undefined ? ['no JSON is declared'] : this.schemaFaults(schema, answer.json, 'the body');
  }

  private schemaFaults(schema: object, value: unknown, subject: string): string[] {
    const validate = this.validators.get(schema) ?? this.ajv.compile(schema);
    this.validators.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${subject} ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  private resolved<T extends object>(value: T | Ref): T {
    if (!('$ref' in value)) return value;
    const parts = value.$ref.slice('#/'.length).split('/');
    return parts.reduce(
      (at, part) => at[part] as Record<string, unknown>,
      this.document as never as Record<string, unknown>,
    ) as T;
  }
}

function isOfExpiredToken({ headers }: CheckedAnswer): boolean {
  return /error_description="the token has expired"/.test(String(headers['www-authenticate']));
}

/** By the object, and by its text: most gateways of the tests serve the same document, whose schemas take long to compile. */
const documents = new WeakMap<object, CheckedDocument>();
const byText = new LRUCache<string, CheckedDocument>({ max: 8 });

function documentOf(served: object): CheckedDocument {
  const known = documents.get(served);
  if (known !== undefined) return known;
  const text = JSON.stringify(served);
  const document = byText.get(text) ?? new CheckedDocument(served);
  documents.set(served, document);
  byText.set(text, document);
  return document;
}

/** A copy in which no object may have undeclared members, with schemas referred to by their names. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value === 'string') return value.replace(/^#\/components\/schemas\//, '');
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  return copy['type'] === 'object' ? { additionalProperties: false, ...copy } : copy;
}

/** The path as the router sees it: without the query, decoded, and without one trailing slash. */
export function pathOf(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/(.)\/$/, '$1');
  try {
    return decodeURI(path);
  } catch {
    // Not a URL path: no template fits it.
    return '';
  }
}

export function templatePattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]*')}$`);
}
