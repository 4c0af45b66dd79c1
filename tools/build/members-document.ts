import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { EndpointForm } from '../../src/endpoint/endpoint-form.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { type VersionName, versions } from '../../src/versions/versions.js';

export const membersFile = join(packageRoot(), 'docs', 'tpp', 'members.md');

const introduction = `# Members

<!-- OBIE_SPECS=<folder of the standard's OpenAPI files> npm run openapi writes this page. -->

For a TPP's developer: each member of the standard's resources in each version of the API. A member that is omitted is optional in the
standard, and the bank's interface does not have it; all below it is omitted too. A version with "–" does not have the member.
Payments between British banks pass no third bank, so the intermediary agents are omitted. The balance types \`*Cleared\`, which only v3.1
has, are not served.
`;

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { readonly responses: Readonly<Record<string, object>> } }>>;
}
interface Member {
  readonly required: boolean;
  readonly below: Members;
}
type Members = ReadonlyMap<string, Member>;

/** The members below a schema, through lists, references and alternatives. */
function membersOf(schema: Schema, document: unknown): Members {
  const { properties = {}, required = [], items, ...others } = resolved(schema, document) as Schema;
  const all = new Map<string, Member>();
  const add = (name: string, { required: isRequired, below }: Member): void => {
    const earlier = all.get(name);
    all.set(name, {
      required: isRequired || earlier?.required === true,
      below: new Map([...(earlier?.below ?? []), ...below]),
    });
  };
  for (const part of [items ?? [], others.allOf ?? [], others.anyOf ?? [], others.oneOf ?? []].flat())
    for (const [name, member] of membersOf(part, document)) add(name, member);
  for (const [name, below] of Object.entries(properties))
    add(name, { required: required.includes(name), below: membersOf(below, document) });
  return all;
}

function resolved(value: object, document: unknown): object {
  if (!('$ref' in value)) return value;
  const parts = String(value.$ref).slice('#/'.length).split('/');
  return parts.reduce((at, part) => (at as Record<string, unknown>)[part], document) as object;
}

interface Row {
  readonly path: string;
  readonly served: boolean;
  readonly required: boolean;
}

/** Each official member. Nothing below one that the gateway omits. */
function compared(ofStandard: Members, ours: Members, above = ''): Row[] {
  return [...ofStandard].flatMap(([name, { required, below }]) => {
    const own = ours.get(name);
    const path = `${above}${name}`;
    return [{ path, served: own !== undefined, required }, ...(own ? compared(below, own.below, `${path}.`) : [])];
  });
}

function officialItem(document: Document, { path, collection }: EndpointForm): Members {
  const operation = document.paths[path.replace(':AccountId', '{AccountId}')];
  const answer = resolved(operation?.get.responses[200] ?? {}, document) as {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  const schema = answer.content['application/json']?.schema ?? {};
  return membersOf(schema, document).get('Data')?.below.get(collection)?.below ?? new Map<string, Member>();
}

/** @param folder of the standard's OpenAPI files */
export function membersDocument(folder: string): string {
  const rows = new Map<string, Map<VersionName, Row>>();
  for (const { name: version, release, forms } of versions) {
    // A folder may name a revision of the release, too.
    const ofRelease = readdirSync(folder).find((name) => name.startsWith(`v${release}`)) ?? `v${release}`;
    const document = parse(readFileSync(join(folder, ofRelease, 'account-info-openapi.yaml'), 'utf8')) as Document;
    for (const form of forms.filter(({ path }) => path !== '/accounts/:AccountId'))
      for (const row of compared(officialItem(document, form), membersOf(form.schema, undefined))) {
        const member = `${form.collection}.${row.path}`;
        rows.set(member, (rows.get(member) ?? new Map<VersionName, Row>()).set(version, row));
      }
  }
  const names = versions.map(({ name }) => name);
  const cells = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([member, inVersions]) => [`\`${member}\``, ...names.map((name) => shown(member, inVersions.get(name)))]);
  const lines = [['Member', ...names], ['---', ...names.map(() => '---')], ...cells];
  return `${introduction}\n${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}

function shown(member: string, row: Row | undefined): string {
  if (row === undefined) return '–';
  if (row.required && !row.served) throw new Error(`the gateway does not serve ${member}, which the standard demands`);
  return row.served ? 'served' : 'omitted';
}
