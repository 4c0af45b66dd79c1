import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/persistence/package-root.js';
import { pages } from './documents.js';

export const observabilityFolder = join(packageRoot(), 'deploy', 'observability');
const prometheus = join(observabilityFolder, 'prometheus');
const dashboards = join(observabilityFolder, 'grafana', 'dashboards');

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

export const ruleFiles = readdirSync(prometheus)
  .filter((file) => file.endsWith('.rules.yml'))
  .map((file) => join(prometheus, file));

export const rules: readonly Rule[] = ruleFiles.flatMap((file) => {
  const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap((group) => group.rules);
});

export const allDashboards: readonly Dashboard[] = readdirSync(dashboards).map(
  (file) => JSON.parse(readFileSync(join(dashboards, file), 'utf8')) as Dashboard,
);

/** Every expression, by the rule or the panel that has it. */
export const expressions: readonly { readonly where: string; readonly expr: string }[] = [
  ...rules.map(({ record, alert, labels, expr }) => ({
    where: alert ?? `${record} ${labels?.['slo'] ?? ''}`.trim(),
    expr,
  })),
  ...allDashboards.flatMap(({ title, panels }) =>
    panels.flatMap((panel) => panel.targets.map(({ expr }) => ({ where: `${title}: ${panel.title}`, expr }))),
  ),
];

const [, ofAlerts = ''] = /^## Alerts\n([^]*?)^## /m.exec(pages.get('docs/operate/incidents.md') ?? '') ?? [];

export interface AlertSection {
  readonly title: string;
  /** As a link names it. */
  readonly anchor: string;
  /** The text of each part, by its name. */
  readonly parts: Readonly<Record<string, string>>;
  /** The command of each part that has one. */
  readonly commands: readonly string[];
}

/** The sections of docs/operate/incidents.md, "Alerts". */
export const alertSections: readonly AlertSection[] = ofAlerts
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [title = '', ...rest] = section.split('\n');
    const items = rest
      .join('\n')
      .split(/^- /m)
      .slice(1)
      .map((item) => /^(\w[\w ]*):\s+([^]*)$/.exec(item.trim()) ?? []);
    return {
      title,
      anchor: title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
      parts: Object.fromEntries(items.map(([, name = '', text = '']) => [name, text])),
      commands: items.flatMap(([, , text]) => /^`((?:curl|promtool) [^`]+)`/.exec(text ?? '')?.[1] ?? []),
    };
  });
