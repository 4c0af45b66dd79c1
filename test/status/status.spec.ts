import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { samplesOf } from '../../ops/status/prometheus-text.js';
import { statusOf } from '../../ops/status/status.js';
import { readBankOrigin } from '../../src/config/bank-address.js';
import { AuthorisationSetting, defaultPermissions } from '../authorisation/setting.js';
import { opsCommands, shellWords } from '../support/documents.js';
import { freePort } from '../support/free-port.js';
import { opsCommand } from '../support/ops-command.js';

interface Answered {
  readonly code: number;
  readonly said: string;
  readonly complaint: string;
}

async function status(port: string | number, ...words: string[]): Promise<Answered> {
  const origin = () => readBankOrigin({ BANK_PORT: String(port) });
  const { code, text, told } = await opsCommand(['status', ...words], { origin });
  return { code, said: text, complaint: told.join('') };
}

describe('npm run ops -- status', () => {
  let setting: AuthorisationSetting;
  let other: AuthorisationSetting;
  const portOf = ({ stack }: AuthorisationSetting): number =>
    (stack.gateway.bankServer.server.address() as AddressInfo).port;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    other = await setting.another();
  });
  afterAll(async () => {
    await other.close();
    await setting.close();
  });

  it('says when each certificate ends, how old the keys are, and that a restart is safe', async () => {
    const { code, said } = await status(portOf(setting));
    expect(said).toMatch(/^Gateway {9}http:\/\/127\.0\.0\.1:\d+, version \S+, profile-2, 1 process since 20/);
    expect(said).toMatch(/^Ready {11}yes$/m);
    expect(said).toMatch(/^Certificate {5}MTLS_CERT_FILE expires \d{4}-\d\d-\d\d, in [\d.]+ days$/m);
    expect(said).toMatch(/^Signing key {5}PS256, [\d.]+ days old$/m);
    expect(said).toMatch(/^Core {12}ledger: 0 of at most 16 reads under way, 0 waiting, 0 open circuits$/m);
    expect(said).toMatch(/^Events {10}0 events wait for a TPP, the oldest 0\.0 days$/m);
    expect(said).toMatch(/^Safe to restart now: yes$/m);
    expect(said).toMatch(/^ {2}note: you named no other gateway/m);
    expect(code).toBe(0);
  });

  it('counts the customers in the middle of an authorisation', async () => {
    const tpp = await setting.tpp('tpp-status');
    const { url } = await tpp.begin(await tpp.createConsent(defaultPermissions));
    await setting.browser().open(url);
    const { said } = await status(portOf(setting));
    expect(said).toMatch(/^Authorisations {2}1 customer in the middle of one$/m);
    expect(said).toContain('note: 1 customer is in the middle of an authorisation, which continues after the restart');
  });

  it('answers the commands of the document', async () => {
    const commands = opsCommands('questions', 'status').map(shellWords);
    expect(commands.map((words) => words.length)).toEqual([0, 2]);
    for (const words of commands) {
      const here = words.map((word) => word.replace('10.0.0.2:3001', `127.0.0.1:${portOf(other)}`));
      expect([words, (await status(portOf(setting), ...here)).code]).toEqual([words, 0]);
    }
  });

  it('needs one of the other gateways that were named to be ready', async () => {
    const silent = `http://127.0.0.1:${await freePort()}`;
    const ready = `http://127.0.0.1:${portOf(other)}`;
    const alone = await status(portOf(setting), '--instance', silent);
    expect([alone.code, alone.said]).toEqual([
      1,
      expect.stringMatching(/^Safe to restart now: no\n {2}no: none of the other gateways is ready/m),
    ]);
    const both = await status(portOf(setting), '--instance', silent, '--instance', ready);
    expect([both.code, both.said]).toEqual([0, expect.stringContaining(`Other gateway   ${ready}, ready`)]);
    expect(both.said).not.toContain('you named no other gateway');
  });

  it('refuses a restart while the core is unreachable, because the gateway would not become ready again', async () => {
    setting.stack.bank.setFault('down');
    const { code, said } = await status(portOf(setting), '--json');
    setting.stack.bank.setFault('none');
    expect([code, JSON.parse(said)]).toEqual([
      1,
      expect.objectContaining({
        ready: false,
        safeToRestart: false,
        reasons: [expect.stringMatching(/^it would not become ready after the restart: the core/)],
      }),
    ]);
  });

  it('says in one sentence that no gateway answers, and ends with 2', async () => {
    const port = await freePort();
    expect(await status(port)).toEqual({
      code: 2,
      said: '',
      complaint: `no gateway answers at http://127.0.0.1:${port}: start it, or set BANK_HOST and BANK_PORT`,
    });
  });

  it.each([
    ['another server', 404, 'no', '/metrics answered 404: this is not the bank port of a gateway'],
    ['a server that is never ready', 503, 'no', '/health/ready answered 503: this is not the bank port of a gateway'],
  ])('does not take %s for a gateway', async (_server, ready, body, complaint) => {
    const server = createServer(({ url }, answer) =>
      answer.writeHead(url === '/health/ready' ? ready : ready === 404 ? 404 : 200).end(body),
    ).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const told = await status(port);
    server.close();
    expect([told.code, told.complaint]).toEqual([2, expect.stringMatching(/this is not the bank port of a gateway$/)]);
    if (ready === 503) expect(told.complaint).toBe(complaint);
  });

  it.each([['--instance', 'nonsense'], ['--instance', 'ftp://x'], ['--unknown'], ['word']])(
    'refuses words that it does not know: %s %s',
    async (...words) => {
      const { code, said, complaint } = await status(1, ...words);
      expect([code, said, complaint]).toEqual([
        2,
        '',
        expect.stringMatching(/give an origin|see: npm run ops -- status --help/),
      ]);
    },
  );
});

describe('the judgement of a restart', () => {
  const judged = (text: string, faults: readonly string[] = []) =>
    statusOf({ faults, samples: samplesOf(text) }, [], Date.parse('2026-11-24T12:00:00Z'));
  const two =
    'gateway_build_info{version="1",profile="p",worker="1"} 1\ngateway_build_info{version="1",profile="p",worker="2"} 1\n';

  it('is against it from the moment when events wait longer than a second for the disk of the trail', () => {
    expect(judged('gateway_trail_lag_seconds 1').safeToRestart).toBe(true);
    expect(judged('gateway_trail_lag_seconds 1.001').reasons).toEqual([
      'events have waited 1.0 s for the disk of the trail and could be lost in a restart',
    ]);
  });

  it('is against it while the gateway stops', () => {
    expect(judged('', ['stopping']).reasons).toEqual(['it is stopping already']);
  });

  it('is against it while the file of a certificate cannot be read, at any of the workers', () => {
    const found = judged(
      'gateway_certificate_unreadable{certificate="CORE_CERT_FILE",worker="1"} 1\n' +
        'gateway_certificate_unreadable{certificate="CORE_CERT_FILE",worker="2"} 1\n' +
        'gateway_certificate_unreadable{certificate="TLS_CERT_FILE",worker="1"} 0\n',
    );
    expect([found.unreadableCertificates, found.reasons]).toEqual([
      ['CORE_CERT_FILE'],
      ['the next start would fail: the files of CORE_CERT_FILE cannot be used'],
    ]);
  });

  it('adds up the workers, and takes the certificate that ends first', () => {
    const found = judged(
      `${two}gateway_core_reads_at_a_time{core="a",state="most",worker="1"} 4\n` +
        'gateway_core_reads_at_a_time{core="a",state="most",worker="2"} 4\n' +
        'gateway_certificate_expiry_days{certificate="TLS_CERT_FILE",worker="1"} 2.5\n' +
        'gateway_certificate_expiry_days{certificate="TLS_CERT_FILE",worker="2"} 400\n',
    );
    expect(found).toMatchObject({ processes: 2, cores: [{ core: 'a', mostReads: 8 }] });
    expect(found.certificates).toEqual([{ setting: 'TLS_CERT_FILE', days: 2.5, endsAt: '2026-11-27T00:00:00.000Z' }]);
    expect(found.notes).toEqual([
      'TLS_CERT_FILE expires in 2.5 days: renew it, then send SIGHUP',
      'send SIGUSR2 to replace the processes one after the other: no request fails',
    ]);
  });
});

describe('the text of metrics', () => {
  it('is read with its labels, whatever characters they have', () => {
    expect(samplesOf('# HELP a b\na_total{x="1,\\"2\\"}",y="\\\\"} 1.5e3\nb 2\nNaN line\n')).toEqual([
      { name: 'a_total', labels: { x: '1,"2"}', y: '\\' }, value: 1500 },
      { name: 'b', labels: {}, value: 2 },
    ]);
  });
});
