import { basename } from 'node:path';
import { CoreSettingFault, type CoreSettings, isThisMachine } from '../../../../packages/core-adapter/core-settings.js';
import { readTlsFiles, tlsFilesOf } from '../../../../packages/core-adapter/tls-files.js';
import { readBankFile } from './bank-file.js';
import { readNamedFile } from '../../record-mapping/mapped-core.js';

/** The settings that only this core needs: docs/operate/settings.md lists them. */
export const sqlVariables = {
  CORE_SQL_FILE: 'Absolute path of the file with the queries ([walks/sql.md](../bank/walks/sql.md)).',
  CORE_USERNAME: 'The database user.',
  CORE_PASSWORD: 'Its password. With a certificate it needs none.',
  CORE_CA_FILE: 'Authorities (PEM) of the server’s certificate. Without it Node’s list.',
  CORE_CERT_FILE: 'Certificate (PEM) of the gateway.',
  CORE_KEY_FILE: 'Key (PEM) of that certificate.',
} as const;
type Variable = keyof typeof sqlVariables;

/** The time after which the database ends a statement. The gateway has given it up long before. */
const statementTimeoutMs = 10_000;

export type SqlSettings = Readonly<ReturnType<typeof readSqlSettings>>;

/** @throws CoreSettingFault for the first setting that is missing or wrong, by its name and without its value */
export function readSqlSettings({ url, connections, variables }: CoreSettings) {
  const set = (name: Variable): string | undefined => variables[name]?.trim() || undefined;
  const path = set('CORE_SQL_FILE') ?? '';
  const address = readAddress(url);
  const files = tlsFilesOf(variables);
  const terms = readTlsFiles(files);
  const password = set('CORE_PASSWORD');
  if (password === undefined && files.certificate === undefined)
    throw new CoreSettingFault('CORE_PASSWORD', 'must be the password of CORE_USERNAME, or set a certificate');
  const plain = variables['ALLOW_PLAIN_CONNECTIONS'] === 'sandbox';
  const needsTls = Object.keys(files).length > 0 || !(plain || isThisMachine(new URL(url).hostname));
  return {
    ...address,
    user: present('CORE_USERNAME', set('CORE_USERNAME'), 'must be the database user of the gateway'),
    ...(password !== undefined && { password }),
    /** Absent where the connection stays on this machine, or on a network of the bank's own. */
    ...(needsTls && { tls: terms }),
    /** SIGHUP reads them again. */
    tlsFiles: files,
    connections,
    statementTimeoutMs,
    file: readNamedFile('CORE_SQL_FILE' satisfies Variable, path, readBankFile),
    /** In messages. */
    fileName: basename(path),
  };
}

function readAddress(url: string): { host: string; port?: number; database: string } {
  const form = 'must be like postgresql://host:5432/database';
  if (!URL.canParse(url)) throw new CoreSettingFault('CORE_URL', form);
  const { protocol, username, password, hostname, port, pathname, search, hash } = new URL(url);
  if (protocol !== 'postgresql:' && protocol !== 'postgres:') throw new CoreSettingFault('CORE_URL', form);
  // The gateway shows its CORE_URL to operators.
  if (username !== '' || password !== '')
    throw new CoreSettingFault('CORE_URL', 'must not carry credentials: set CORE_USERNAME and CORE_PASSWORD');
  if (search !== '' || hash !== '') throw new CoreSettingFault('CORE_URL', 'must not have a query or a fragment');
  if (hostname === '' || pathname.length < 2) throw new CoreSettingFault('CORE_URL', form);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port: Number(port) }),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

function present(name: Variable, value: string | undefined, rule: string): string {
  if (value === undefined) throw new CoreSettingFault(name, rule);
  return value;
}
