import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ajvModule, { type Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { versionAt, versions } from '../../src/versions/versions.js';
import { deviations, standardVersions, type Deviation, type StandardVersion } from '../conformance/deviations.js';
import { pathOf, templatePattern, type CheckedAnswer } from './own-openapi.js';

/** The folder of the standard's OpenAPI files, with one folder for each version. Without it nothing is compared. */
export const specsFolder = process.env['OBIE_SPECS'];

const accountFiles: Readonly<Record<StandardVersion, string>> = {
  'v3.1.2': 'v3.1.2/account-info-openapi.yaml',
  // The same document as the YAML file next to it, read in a hundredth of the time.
  'v3.1.11r5': 'v3.1.11r5/account-info-openapi.json',
  'v4.0.1': 'v4.0.1/account-info-openapi.yaml',
};
const fundsFiles: Readonly<Partial<Record<StandardVersion, string>>> = {
  'v3.1.11r5': 'v3.1.11r5/confirmation-funds-openapi.yaml',
  'v4.0.1': 'v4.0.1/confirmation-funds-openapi.yaml',
};

/** The deviations that happened in this test file, each as `<version>: <name>`. */
export const seenDeviations = new Set<string>();

export function deviationLabel(version: StandardVersion, { name }: Deviation): string {
  return `${version}: ${name}`;
}

/**
 * Throws when the answer breaks a schema of the standard in a way that is not listed as a deviation. An answer for which
 * the standard has no body is not compared.
 */
export function checkAgainstStandard(method: string, url: string, answer: CheckedAnswer): void {
  const path = pathOf(url);
  const served = versionAt(path, versions);
  if (specsFolder === undefined || served === undefined) return;
  const isOfFunds = path.startsWith(`${served.fundsPath}/`);
  const [files, basePath] = isOfFunds ? [fundsFiles, served.fundsPath] : [accountFiles, served.basePath];
  const faults = standardVersions.flatMap((version) => {
    const file = version.startsWith(`${served.name}.`) ? files[version] : undefined;
    const below = path.slice(basePath.length);
    return file === undefined ? [] : standard(specsFolder, version, file).faults(method.toLowerCase(), below, answer);
  });
  if (faults.length > 0)
    throw new Error(
      `${method} ${url} -> ${answer.status} deviates from the standard in a way that test/conformance/deviations.ts ` +
        `does not list:\n${faults.slice(0, 10).join('\n')}\n  body: ${answer.body.slice(0, 1_000)}`,
    );
}

interface Ref {
  readonly $ref: string;
}
interface Schema {
  readonly oneOf?: readonly Ref[];
  readonly required?: readonly string[];
}
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses?: Readonly<Record<string, Ref>> }>>>
  >;
  readonly components: {
    readonly responses: Readonly<Record<string, Answer>>;
    readonly schemas: Record<string, Schema>;
  };
}
interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

class Standard {
  private readonly document: Document;
  private readonly ajv: Ajv;
  private readonly templates: readonly { readonly path: string; readonly pattern: RegExp }[];
  private readonly validators = new Map<string, ValidateFunction | undefined>();

  constructor(
    folder: string,
    private readonly version: StandardVersion,
    file: string,
  ) {
    const text = readFileSync(join(folder, file), 'utf8');
    this.document = (file.endsWith('.json') ? JSON.parse(text) : parse(text)) as Document;
    mergeBasicAndDetail(this.document.components.schemas);
    this.ajv = new ajvModule.Ajv({ allErrors: true, verbose: true, strict: false });
    formats.default(this.ajv);
    this.ajv.addSchema(this.document, 'standard');
    this.templates = Object.keys(this.document.paths).map((path) => ({ path, pattern: templatePattern(path) }));
  }

  faults(method: string, path: string, answer: CheckedAnswer): string[] {
    const template = this.templates.find(({ pattern }) => pattern.test(path))?.path;
    const response = this.document.paths[template ?? '']?.[method]?.responses?.[answer.status]?.$ref.split('/').at(-1);
    if (template === undefined || response === undefined) return [];
    const validate = this.validator(response);
    if (validate === undefined || validate(answer.json)) return [];
    return (validate.errors ?? []).filter((error) => !this.isListed(template, error)).map((error) => this.told(error));
  }

  /** Compiled when it is first needed: some of the schemas take a quarter of a second. */
  private validator(response: string): ValidateFunction | undefined {
    if (!this.validators.has(response)) {
      const declared = this.document.components.responses[response]?.content?.['application/json']?.schema;
      const $ref = `standard#/components/responses/${response}/content/application~1json/schema`;
      this.validators.set(response, declared && this.ajv.compile({ $ref }));
    }
    return this.validators.get(response);
  }

  private isListed(endpoint: string, error: ErrorObject): boolean {
    const deviation = deviations.find(
      (listed) =>
        listed.versions.includes(this.version) &&
        listed.endpoint === endpoint &&
        listed.keyword === error.keyword &&
        listed.member.test(error.instancePath) &&
        listed.value(error.data),
    );
    if (deviation !== undefined) seenDeviations.add(deviationLabel(this.version, deviation));
    return deviation !== undefined;
  }

  private told({ instancePath, keyword, message, data }: ErrorObject): string {
    return `  ${this.version} ${instancePath} (${keyword}) ${message}: ${JSON.stringify(data)?.slice(0, 100)}`;
  }
}

/**
 * v3.1.2 has some items as `oneOf` a Basic and a Detail schema, both open to further members: every Detail item fits both
 * and so, taken literally, neither. It is read as intended: the members of Detail, of which those of Basic are mandatory.
 */
function mergeBasicAndDetail(schemas: Record<string, Schema>): void {
  for (const [name, { oneOf }] of Object.entries(schemas)) {
    const basic = schemas[`${name}Basic`];
    const detail = schemas[`${name}Detail`];
    if (oneOf?.length === 2 && basic && detail) schemas[name] = { ...detail, required: basic.required ?? [] };
  }
}

/** By their files. */
const read = new Map<string, Standard>();

function standard(folder: string, version: StandardVersion, file: string): Standard {
  const known = read.get(file) ?? new Standard(folder, version, file);
  read.set(file, known);
  return known;
}
