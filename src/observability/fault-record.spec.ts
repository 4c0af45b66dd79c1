import { describe, expect, it } from '@jest/globals';
import { CustomerAuthenticationUnavailable } from '../../packages/customer-authentication/customer-authentication.js';
import { OutgoingFault } from '../outgoing/outgoing-fault.js';
import { DatabaseUnreachable } from '../persistence/postgres-connections.js';
import { IssuerUnreachable } from '../security/tokens/token-issuer.js';
import { faultCode, faultRecord } from './fault-record.js';

const secret = 'Amelia Hart of 4929421234567897';
const foreign = (name: string, carried: object, cause?: unknown): Error =>
  Object.assign(new Error(secret, cause === undefined ? {} : { cause }), { name }, carried);
/** A driver adapter's error in the form in which Prisma passes it on. */
const ofDatabase = (cause: object): Error =>
  foreign('PrismaClientKnownRequestError', {
    code: 'P2010',
    meta: {
      driverAdapterError: foreign('DriverAdapterError', {}, { ...cause, originalMessage: secret, message: secret }),
    },
  });

describe('an error in the log', () => {
  it.each<[string, unknown, object]>([
    [
      'a connection that is refused',
      foreign('TypeError', {}, foreign('Error', { code: 'ECONNREFUSED', address: '10.0.0.1', port: 5432 })),
      { fault: 'TypeError', cause: 'Error', code: 'ECONNREFUSED', host: '10.0.0.1', port: 5432 },
    ],
    [
      'the first of several addresses that were tried',
      foreign('AggregateError', { errors: [foreign('Error', { code: 'ECONNRESET', address: '::1', port: 1 })] }),
      { fault: 'AggregateError', cause: 'Error', code: 'ECONNRESET', host: '::1', port: 1 },
    ],
    [
      'a host without an address',
      foreign('Error', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'core' }),
      { fault: 'Error', code: 'ENOTFOUND', host: 'core' },
    ],
    ['a certificate', foreign('Error', { code: 'CERT_HAS_EXPIRED' }), { fault: 'Error', code: 'CERT_HAS_EXPIRED' }],
    [
      'a database that is shut down',
      ofDatabase({ kind: 'postgres', code: '57P01', originalCode: '57P01' }),
      { fault: 'PrismaClientKnownRequestError', code: '57P01' },
    ],
    ['a full disk', foreign('Error', { code: 'ENOSPC' }), { fault: 'Error', code: 'ENOSPC' }],
    [
      'an issuer that is unreachable',
      new IssuerUnreachable('https://as.example is unreachable', { issuer: 'https://as.example', status: 502 }),
      {
        fault: 'IssuerUnreachable',
        issuer: 'https://as.example',
        status: 502,
        detail: 'https://as.example is unreachable',
      },
    ],
    ['a deadline', foreign('TimeoutError', {}), { fault: 'TimeoutError' }],
    [
      'a connection to the database without a code of the driver',
      new DatabaseUnreachable({ host: 'db', port: 5432 }, new Error(secret)),
      { fault: 'DatabaseUnreachable', host: 'db', port: 5432, detail: 'the database did not answer' },
    ],
    [
      'a call to another server',
      foreign('Error', {}, new OutgoingFault('late', 'no complete answer before the deadline')),
      { cause: 'OutgoingFault', detail: 'no complete answer before the deadline' },
    ],
    [
      'a sign-on of the bank',
      new CustomerAuthenticationUnavailable('the sign-on did not answer', 'ECONNREFUSED'),
      { code: 'ECONNREFUSED', detail: 'the sign-on did not answer' },
    ],
  ])('has its codes and its place, without a stack: %s', (_name, error, expected) => {
    const { cause: _cause, ...told } = faultRecord(error);
    const { cause: _expectedCause, ...wanted } = expected as Record<string, unknown>;
    expect(told).toMatchObject(wanted);
    expect(told).not.toHaveProperty('stack');
    expect(JSON.stringify(faultRecord(error))).not.toMatch(/Amelia|4929421234567897/);
  });

  it.each([
    ['a TypeError', new TypeError(secret)],
    ['a statement that is wrong', ofDatabase({ kind: 'postgres', code: '42703', originalCode: '42703' })],
    ['an argument that is wrong', foreign('TypeError', { code: 'ERR_INVALID_ARG_TYPE' })],
    ['an error whose message only looks like one of the driver', new Error('Connection terminated: ' + secret)],
    ['an error that has the name of ours', foreign('IssuerUnreachable', { issuer: secret, status: 500 })],
  ])('has its place and not its message where it may be a bug: %s', (_name, error) => {
    const told = faultRecord(error);
    expect(told).toHaveProperty('stack', expect.stringContaining('fault-record.spec'));
    expect(JSON.stringify(told)).not.toContain('Amelia');
  });

  it('does not show an unknown code or place', () => {
    const told = faultRecord(
      foreign('Error', { code: secret, kind: secret, status: 500, issuer: secret, detail: secret }),
    );
    expect(Object.keys(told).toSorted()).toEqual(['fault', 'stack']);
    expect(faultRecord(secret)).toEqual({ fault: 'string' });
  });

  it('has a short form', () => {
    expect(faultCode(ofDatabase({ kind: 'postgres', originalCode: '25006' }))).toBe('25006');
    expect(faultCode(new TypeError(secret))).toBe('TypeError');
  });
});
