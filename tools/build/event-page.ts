import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { eventSchema } from './event-schema.js';

export const eventPageFile = join(packageRoot(), 'docs', 'operate', 'trail-events.md');

const introduction = `# Events of the trail

<!-- npm run event-schema writes this page. -->

An event is one line of a [segment](trail.md#files). A program takes [trail-event.schema.json](../trail-event.schema.json), from which
this page is made. An absent member is never null.`;

/** A list of more values than this is in the schema alone. */
const mostValues = 12;

interface Member {
  readonly description?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Member[];
  readonly pattern?: string;
  readonly properties?: Members;
}
type Members = Readonly<Record<string, Member>>;

/** The text of docs/operate/trail-events.md: the members of each kind of event, from the types in `src/trail/event.ts`. */
export function eventPage(): string {
  const { TooLongEvent, ...kinds } = eventSchema()['$defs'] as Record<string, Member>;
  const ofEvery = TooLongEvent?.properties ?? {};
  const sections = Object.values(kinds).map(({ description, properties = {} }) => {
    const own = Object.entries(properties).filter(([name]) => !Object.hasOwn(ofEvery, name));
    return section(String(properties['kind']?.const), description, Object.fromEntries(own));
  });
  return `${[introduction, section('Every event', undefined, ofEvery), ...sections].join('\n\n')}\n`;
}

function section(title: string, description: string | undefined, members: Members): string {
  const table = ['| Member | Content | Values |', '| --- | --- | --- |', ...rowsOf(members, '')].join('\n');
  return [`## ${title}`, ...(description === undefined ? [] : [description]), table].join('\n\n');
}

/** The members of a member follow it, each under its whole name. */
function rowsOf(members: Members, prefix: string): string[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const values = valuesOf(member);
    const listed = values.length > mostValues ? '' : values.map((value) => `\`${value}\``).join(', ');
    return [
      `| \`${prefix}${name}\` | ${member.description ?? ''} | ${listed} |`,
      ...rowsOf(member.properties ?? {}, `${prefix}${name}.`),
    ];
  });
}

function valuesOf({ enum: values = [], anyOf = [], pattern, const: value }: Member): readonly string[] {
  const one = pattern === undefined ? value : `${pattern.slice(1)}…`;
  return [...values, ...anyOf.flatMap(valuesOf), ...(one === undefined ? [] : [String(one)])];
}
