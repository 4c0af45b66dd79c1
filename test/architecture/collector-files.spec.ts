import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { packageRoot } from '../../src/persistence/package-root.js';
import { fileOf, segmentOf } from '../../src/trail/segment-names.js';
import { observabilityFolder } from '../support/observability-files.js';

type Parts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
interface Collector {
  readonly extensions: Parts;
  readonly receivers: Parts;
  readonly exporters: Parts;
  readonly service: {
    readonly extensions: readonly string[];
    readonly pipelines: Readonly<Record<string, { receivers: readonly string[]; exporters: readonly string[] }>>;
  };
}
interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
}

const read = (...path: string[]): string => readFileSync(join(packageRoot(), ...path), 'utf8');
const text = (name: string): string => readFileSync(join(observabilityFolder, 'collector', `${name}.yaml`), 'utf8');
const collector = (name: string): Collector => parse(text(name)) as Collector;
const { services } = parse(read('compose.observability.yaml'), { merge: true }) as {
  services: Record<string, Service>;
};
const serviceOf: Readonly<Record<string, Service>> = {
  agent: services['trail-agent'] ?? {},
  collector: services['collector'] ?? {},
};
const schema = readFileSync(join(observabilityFolder, 'clickhouse', 'schema.sql'), 'utf8');

describe.each(['agent', 'collector'])('the collector file %s.yaml', (name) => {
  const { extensions, receivers, exporters, service } = collector(name);
  const pipelines = Object.values(service.pipelines);

  it('uses each part that it declares, and no other', () => {
    expect(pipelines.flatMap((pipeline) => pipeline.receivers)).toEqual(Object.keys(receivers));
    expect(pipelines.flatMap((pipeline) => pipeline.exporters)).toEqual(Object.keys(exporters));
    expect(service.extensions).toEqual(Object.keys(extensions));
  });

  it('keeps the waiting lines on disk, waits for room, and never gives up', () => {
    for (const exporter of Object.values(exporters))
      expect(exporter).toMatchObject({
        sending_queue: { storage: service.extensions[0], block_on_overflow: true },
        retry_on_failure: { max_elapsed_time: '0s' },
      });
  });

  it('has in the compose file each variable without a default, and the file itself', () => {
    const needed = [...text(name).matchAll(/\$\{env:(\w+)\}/g)].map(([, variable]) => variable);
    expect(Object.keys(serviceOf[name]?.environment ?? {})).toEqual(expect.arrayContaining(needed));
    expect(needed.length).toBeGreaterThan(0);
    expect(serviceOf[name]?.command?.[0]).toBe(`--config=/etc/otelcol/${name}.yaml`);
    expect(serviceOf[name]?.volumes).toContain('./deploy/observability/collector:/etc/otelcol:ro');
  });
});

describe('the way of the trail to ClickHouse', () => {
  const [reader] = Object.values(collector('agent').receivers);
  const day = '/trail/2026-11-24';
  const segment = segmentOf(new Date('2026-11-24T14:00:00.000Z'), 'gateway-1-11111111');

  it('begins with every segment from its first event, and with no other file of the trail, which it cannot write', () => {
    expect(serviceOf['agent']?.volumes).toContain('trail:/trail:ro');
    const [pattern = ''] = reader?.['include'] as string[];
    const taken = new RegExp(`^${pattern.replace('${env:TRAIL_DIR}', '/trail').replaceAll('*', '[^/]*')}$`);
    const names = [fileOf(segment, 'open'), fileOf(segment, 'closed'), fileOf(segment, 'root'), 'index.0a.parquet'];
    expect(names.filter((name) => taken.test(`${day}/${name}`))).toEqual(names.slice(0, 2));
    expect('/trail/dropped.2026-11-24.ndjson').not.toMatch(taken);
    expect(reader).toMatchObject({ start_at: 'beginning', storage: 'file_storage', force_flush_period: '0s' });
  });

  it('has one name for the service, the database and the table', () => {
    const { 'service.name': service } = reader?.['resource'] as Record<string, string>;
    expect(schema).toContain(`WHERE ServiceName = '${service}'`);
    const { database, logs_table_name: table } = collector('collector').exporters['clickhouse'] ?? {};
    expect(schema).toContain(`CREATE TABLE IF NOT EXISTS ${String(database)}.${String(table)}\n`);
  });

  it('meets at one address, with TLS in both directions where tls.yaml is added', () => {
    const { COLLECTOR_LISTEN = '' } = serviceOf['collector']?.environment ?? {};
    expect(serviceOf['agent']?.environment?.['COLLECTOR_ENDPOINT']).toBe(`collector:${COLLECTOR_LISTEN.split(':')[1]}`);
    const { grpc } = (collector('tls').receivers['otlp'] as { protocols: Record<'grpc', object> }).protocols;
    expect(grpc).toMatchObject({ tls: { client_ca_file: expect.any(String), cert_file: expect.any(String) } });
  });

  it('ends in a server that has the shipped files', () => {
    const mounted = services['clickhouse']?.volumes?.filter((volume) => volume.startsWith('./')) ?? [];
    expect(mounted.length).toBeGreaterThan(1);
    for (const volume of mounted) expect(existsSync(join(packageRoot(), volume.split(':')[0] ?? ''))).toBe(true);
  });
});

describe('the questions in docs/operate/trail.md', () => {
  const documented = [...read('docs', 'operate', 'trail.md').matchAll(/^\| `(\w+)\.sql` +\| (.*?) +\|/gm)].map(
    ([, name = '', parameters = '']) => [name, [...parameters.matchAll(/`(\w+)`/g)].map(([, each]) => each).sort()],
  );

  it('are those in deploy/observability/clickhouse/questions, with their parameters', () => {
    const folder = join(observabilityFolder, 'clickhouse', 'questions');
    const shipped = readdirSync(folder).map((file) => {
      const parameters = [...readFileSync(join(folder, file), 'utf8').matchAll(/\{(\w+):/g)].map(([, each]) => each);
      return [file.replace('.sql', ''), [...new Set(parameters)].sort()];
    });
    expect(documented.sort()).toEqual(shipped.sort());
  });
});
