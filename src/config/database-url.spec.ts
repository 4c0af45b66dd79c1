import { describe, expect, it } from '@jest/globals';
import { BootError } from './boot-error.js';
import { readDatabaseUrl, type DatabaseAddress } from './database-url.js';

const read = (text: string): DatabaseAddress => readDatabaseUrl(text);
function refusal(text: string): string {
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(BootError);
    return (error as Error).message;
  }
  throw new Error(`${text} was taken`);
}

describe('the address of the database', () => {
  it('is one server, with the defaults of the gateway', () => {
    expect(read('postgresql://mary:secret@db.example:5433/gateway')).toEqual({
      host: 'db.example',
      port: 5433,
      user: 'mary',
      password: 'secret',
      database: 'gateway',
      options: '',
      applicationName: 'account-information-gateway',
    });
  });

  it.each<[string, Pick<DatabaseAddress, 'host' | 'port'>]>([
    ['postgresql://[::1]:5432/db', { host: '::1', port: 5432 }],
    ['postgresql://u@%2Fvar%2Frun%2Fpostgresql/db', { host: '/var/run/postgresql', port: undefined }],
    ['postgresql://u@localhost/db?host=/var/run/postgresql', { host: '/var/run/postgresql', port: undefined }],
    ['postgresql:///db', { host: undefined, port: undefined }],
  ])('names the server: %s', (text, server) => {
    const { host, port } = read(text);
    expect({ host, port }).toEqual(server);
  });

  it.each(['postgresql://u:secret@h1:5432,h2:5433/db', 'postgresql://u:secret@h1,/db', 'postgresql://h1,h2'])(
    'is refused where it names several hosts: %s',
    (text) => {
      expect(refusal(text)).toBe(
        'DATABASE_URL names several hosts: name one address, that of a balancer which leads to the primary.',
      );
    },
  );

  it('has user, password and database as they are, not as they are escaped', () => {
    const { user, password, database } = read('postgresql://m%40ry:a%3Ab:c%2Fd@h/d%20b');
    expect([user, password, database]).toEqual(['m@ry', 'a:b:c/d', 'd b']);
  });

  it('gives the options of the session', () => {
    expect(
      read('postgresql://h/db?schema=bank&options=-c%20work_mem%3D8MB&application_name=one&connect_timeout=7'),
    ).toMatchObject({ schema: 'bank', options: '-c work_mem=8MB', applicationName: 'one', connectTimeoutMs: 7_000 });
  });

  it.each<[string, DatabaseAddress['tls']]>([
    ['', undefined],
    ['sslmode=disable', false],
    ['sslmode=no-verify', { verify: false }],
    ['sslmode=require', { verify: true }],
    ['sslmode=verify-ca&sslrootcert=/ca.pem', { verify: true, caFile: '/ca.pem' }],
    ['sslmode=verify-full', { verify: true }],
    ['sslrootcert=/ca.pem', { verify: true, caFile: '/ca.pem' }],
    ['sslmode=require&sslcert=/c.pem&sslkey=/k.pem', { verify: true, certFile: '/c.pem', keyFile: '/k.pem' }],
  ])('says how the gateway uses TLS: %s', (query, tls) => {
    expect(read(`postgresql://h/db?${query}`).tls).toEqual(tls);
  });

  it.each([
    'mysql://u:secret@h/db',
    'user secret',
    'postgresql://u:se#cret@h/db',
    'postgresql://u:secret%@h/db',
    'postgresql://u:secret@h:port/db',
    'postgresql://u:secret@h:65536/db',
    'postgresql://u:secret@h:0/db',
    'postgresql://u:secret%ff@h/db',
    'postgresql://u:secret%00@h/db',
    'postgresql://u:secret@h%ff/db',
    'postgresql://u:secret@h/db?schema=%00',
    'postgresql://u:secret@[h]/db',
    'postgresql://u:secret@h/db/secret',
  ])('is refused where it is not the address of a PostgreSQL: %s', (text) => {
    expect(refusal(text)).toMatch(/^DATABASE_URL names no PostgreSQL: write it as postgresql:\/\//);
    expect(refusal(text)).not.toMatch(/secret|cret@|\n/);
  });

  it.each<[string, RegExp]>([
    [
      'connection_limit=5',
      /^DATABASE_URL: the parameter connection_limit is not known to the gateway \(known are schema, /,
    ],
    ['pgbouncer=true&ssl=1', /the parameter pgbouncer is not known .*; the parameter ssl is not known /],
    ['keepalives2=1', /the parameter keepalives2 is not known/],
    ['se%3Dcret@=1', /^DATABASE_URL: a parameter is not known/],
    // The rest of a password that was not escaped.
    ['secret=1@h', /^DATABASE_URL: a parameter is not known/],
    ['schema=a&schema=b', /the parameter schema is given twice/],
    ['schema=', /the parameter schema has no value/],
    ['host=elsewhere', /host must be the folder of a Unix socket/],
    ['connect_timeout=0', /connect_timeout must be a whole number of seconds/],
    ['connect_timeout=1.5', /connect_timeout must be a whole number of seconds/],
    ['sslmode=prefer', /sslmode must be disable, no-verify, or require/],
    ['sslmode=allow', /sslmode must be/],
    ['sslmode=require&sslcert=/c.pem', /sslcert and sslkey must be set together/],
    ['sslmode=disable&sslrootcert=/c.pem', /sslmode=disable needs no sslrootcert/],
  ])('is refused for a parameter that the gateway cannot apply: %s', (query, words) => {
    expect(refusal(`postgresql://u:secret@h/db?${query}`)).toMatch(words);
    expect(refusal(`postgresql://u:secret@h/db?${query}`)).not.toMatch(/secret|se=cret|\n/);
  });
});
