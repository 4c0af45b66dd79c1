import { afterEach, describe, expect, it } from '@jest/globals';
import type { FastifyBaseLogger } from 'fastify';
import { BootError } from '../config/boot-error.js';
import type { Gateway } from './gateway.js';
import { renewOnSighup } from './renewal.js';

describe('SIGHUP', () => {
  const before = process.listeners('SIGHUP');
  afterEach(() => {
    for (const listener of process.listeners('SIGHUP')) if (!before.includes(listener)) process.off('SIGHUP', listener);
  });

  it('before the gateway is ready is kept until then', () => {
    const told: string[] = [];
    const gateway = { renewCertificates: () => void told.push('renewed') } as unknown as Gateway;
    const log = { info: (message: string) => told.push(message) } as unknown as FastifyBaseLogger;
    const ready = renewOnSighup();
    process.emit('SIGHUP');
    process.emit('SIGHUP');
    expect(told).toEqual([]);
    ready(gateway, log);
    expect(told).toEqual(['renewed', 'the certificates were read again and are in use']);
    process.emit('SIGHUP');
    expect(told).toHaveLength(4);
  });

  it('with a bad file leaves one record that says why, and the next record differs', () => {
    const records: object[] = [];
    const gateway = {
      renewCertificates: () => {
        throw new BootError('TLS_KEY_FILE "key.pem" cannot be read: name a readable PEM file');
      },
    } as unknown as Gateway;
    const log = {
      error: (record: object, msg: string) => records.push({ ...record, msg }),
    } as unknown as FastifyBaseLogger;
    renewOnSighup()(gateway, log);
    process.emit('SIGHUP');
    process.emit('SIGHUP');
    const fault = 'TLS_KEY_FILE "key.pem" cannot be read: name a readable PEM file';
    const msg = 'SIGHUP changed nothing: the certificates that were in use stay in use';
    expect(records).toEqual([
      { fault, attempt: 1, msg },
      { fault, attempt: 2, msg },
    ]);
  });
});
