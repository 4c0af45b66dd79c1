import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/persistence/package-root.js';
import { alertSections, allDashboards, expressions, rules } from '../support/observability-files.js';

const metricsPage = readFileSync(join(packageRoot(), 'docs', 'operate', 'metrics.md'), 'utf8');
const objectives = rules.flatMap(({ record, labels }) =>
  record === 'gateway:slo_objective' ? (labels?.['slo'] ?? []) : [],
);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const ofObjectives = alerts.filter(({ annotations }) => annotations?.['runbook_url']?.includes('{{'));

describe('each alert', () => {
  it.each(alerts.map((rule) => [rule.alert as string, rule] as const))(
    '%s is urgent or not, and names a section of the page of incidents',
    (_alert, { labels, annotations }) => {
      expect(['page', 'ticket']).toContain(labels?.['severity']);
      expect(annotations?.['summary']).toBeTruthy();
      const anchors = objectives.map((slo) => annotations?.['runbook_url']?.replace(/\{\{.*\}\}/, slo));
      for (const anchor of anchors)
        expect(alertSections.map((section) => `docs/operate/incidents.md#${section.anchor}`)).toContain(anchor);
    },
  );

  it('has its section, and no section is left without an alert', () => {
    const named = alerts.filter((rule) => !ofObjectives.includes(rule)).map(({ alert }) => alert as string);
    expect(alertSections.map(({ title }) => title)).toEqual([
      ...objectives.map((slo) => `Objective: ${slo}`),
      ...named,
    ]);
  });

  it.each(alertSections.map((section) => [section.title, section] as const))(
    'has in its section %s the meaning, the command that checks it, the fix, and the command that shows that it is resolved',
    (_title, { parts, commands }) => {
      expect(Object.keys(parts)).toEqual(['Meaning', 'Check', 'Fix', 'Resolved when']);
      expect(commands).toHaveLength(2);
    },
  );
});

describe('each objective', () => {
  it('has rules for all its events and for the bad ones', () => {
    expect(objectives.length).toBeGreaterThan(0);
    for (const record of ['gateway:slo_all:rate1m', 'gateway:slo_bad:rate1m'])
      expect(rules.filter((rule) => rule.record === record).map(({ labels }) => labels?.['slo'])).toEqual(objectives);
  });
});

describe('the expressions of rules and dashboards', () => {
  it('name documented metrics and recorded series only', () => {
    const recorded = new Set(rules.map(({ record }) => record));
    const unknown = expressions.flatMap(({ where, expr }) =>
      [...expr.matchAll(/\bgateway[_:][\w:]+/g)]
        .map(([name]) => name)
        .filter(
          (name) => !recorded.has(name) && !metricsPage.includes(`| \`${name.replace(/_(bucket|count|sum)$/, '')}\` `),
        )
        .map((name) => `${where}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are of dashboards with different names', () => {
    expect(allDashboards.map(({ uid }) => uid).sort()).toEqual(
      ['core', 'overview', 'regulator', 'tpps'].map((name) => `aig-${name}`),
    );
  });
});
