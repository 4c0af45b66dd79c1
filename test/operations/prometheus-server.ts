import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { patienceMs } from './gateway-process.js';

interface Answered {
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

/** Debian's Prometheus with rules, which scrapes gateways every second. */
export class PrometheusServer {
  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(ruleFiles: readonly string[], targets: readonly string[]): Promise<PrometheusServer> {
    const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    const port = await freePort();
    const file = join(folder, 'prometheus.yml');
    // A JSON text is one of YAML too.
    await writeFile(
      file,
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: ruleFiles,
        scrape_configs: [{ job_name: 'gateway', static_configs: [{ targets }] }],
      }),
    );
    const child = spawn(
      'prometheus',
      [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`],
      { stdio: 'ignore' },
    );
    const server = new PrometheusServer(folder, child, port);
    await until(() => server.isReady(), patienceMs);
    return server;
  }

  /** The values that an expression has now. */
  async values(expr: string): Promise<readonly number[]> {
    const answer = await this.ask(`query?${new URLSearchParams({ query: expr })}`);
    return (answer as Answered).data.result.map(({ value }) => Number(value[1]));
  }

  /** The faults with which rules were evaluated. */
  async ruleFaults(): Promise<readonly string[]> {
    const { data } = (await this.ask('rules')) as {
      data: { groups: { rules: { name: string; lastError?: string }[] }[] };
    };
    return data.groups.flatMap(({ rules }) =>
      rules.flatMap(({ name, lastError }) => (lastError ? [`${name}: ${lastError}`] : [])),
    );
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    await rm(this.folder, { recursive: true });
  }

  private async ask(path: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/v1/${path}`);
    if (!answer.ok) throw new Error(`Prometheus answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  private isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

/** The output of Debian's promtool, which ends with an error where it finds a fault. */
export function promtool(folder: string, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`promtool ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
