import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Session } from 'chdb';
import { parse } from 'yaml';
import { linesOfFile, trailFiles } from '../../../test/support/read-trail.js';
import { observabilityFolder } from '../../../test/support/observability-files.js';

export type Row = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, string | number | readonly string[]>>;

const folder = join(observabilityFolder, 'clickhouse');
const collector = parse(readFileSync(join(observabilityFolder, 'collector', 'collector.yaml'), 'utf8')) as {
  exporters: { clickhouse: { connection_params: Readonly<Record<string, string>> } };
};

/** A ClickHouse server in this process, with the shipped tables. A process has one at a time. */
export class CopiedTrail {
  private readonly session = new Session();

  constructor() {
    this.run('schema.sql');
    for (const [name, value] of Object.entries(collector.exporters.clickhouse.connection_params))
      this.session.query(`SET ${name} = ${value}`);
  }

  /** Inserts the lines of segments as the collector’s clickhouse exporter does. */
  async take(directory: string): Promise<void> {
    for (const { path } of (await trailFiles(directory)).filter(({ state }) => state !== 'root'))
      await this.insert(await linesOfFile(path), basename(path));
  }

  async insert(lines: readonly string[], file: string, service = 'account-information-gateway'): Promise<void> {
    const common = { Timestamp: '2026-11-24 14:03:00.000000000', TraceId: '', SpanId: '', TraceFlags: 0 };
    const values = lines.map((line) => ({
      ...common,
      SeverityText: '',
      SeverityNumber: 0,
      ServiceName: service,
      Body: line,
      ResourceSchemaUrl: '',
      ResourceAttributes: { 'service.name': service },
      ScopeSchemaUrl: '',
      ScopeName: '',
      ScopeVersion: '',
      ScopeAttributes: {},
      LogAttributes: { 'log.file.name': file },
      EventName: '',
    }));
    if (values.length > 0) await this.session.insert({ table: 'trail.otel_logs', values });
  }

  /** The rows of a file in questions/, by its name without `.sql`. */
  ask(question: string, parameters: Parameters = {}): Row[] {
    return this.rows(readFileSync(join(folder, 'questions', `${question}.sql`), 'utf8'), parameters);
  }

  rows(sql: string, parameters: Parameters = {}): Row[] {
    const settings = `date_time_output_format = 'iso', output_format_json_quote_64bit_integers = 0`;
    const text = this.session.queryBind(
      `${sql.trim().replace(/;$/, '')} SETTINGS ${settings}`,
      parameters,
      'JSONEachRow',
    );
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row);
  }

  run(file: string, parameters: Parameters = {}): void {
    const sql = readFileSync(join(folder, file), 'utf8');
    if (Object.keys(parameters).length === 0) this.session.query(sql);
    else this.session.queryBind(sql, parameters);
  }

  empty(): void {
    this.session.query('TRUNCATE TABLE trail.events');
  }

  close(): void {
    this.session.close();
  }
}
