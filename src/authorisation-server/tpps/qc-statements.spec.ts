import { beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { sandboxOrganisation } from '../../../sandbox/directory/software.js';
import { Authority } from '../../../sandbox/pki/authority.js';
import type { PspRole } from '../../../sandbox/pki/qc-statements.js';
import { CertificateAuthority } from '../../../test/support/certificates.js';
import { scopesAllowedBy } from './qc-statements.js';

describe('the roles in a certificate', () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await Authority.make(Date.parse('2026-06-15T12:00:00Z'));
  });
  const certificate = async (roles: readonly PspRole[]): Promise<Buffer> =>
    new X509Certificate((await authority.tpp({ ...sandboxOrganisation, roles })).certificate).raw;

  it.each<[readonly PspRole[], readonly string[]]>([
    [['PSP_AI'], ['accounts']],
    [
      ['PSP_PI', 'PSP_AI', 'PSP_IC'],
      ['accounts', 'fundsconfirmations'],
    ],
    [['PSP_PI'], []],
    [['PSP_AS', 'PSP_PI', 'PSP_IC'], ['fundsconfirmations']],
    [[], []],
  ])('%j allow the scopes %j', async (roles, expected) => {
    expect(scopesAllowedBy(await certificate(roles))).toEqual(expected);
  });

  it('are not needed where the certificate states none', () => {
    const all = ['accounts', 'fundsconfirmations'];
    expect(scopesAllowedBy(new CertificateAuthority().issue('tpp').certificate.raw)).toEqual(all);
    expect(scopesAllowedBy(new X509Certificate(authority.pair.certificate).raw)).toEqual(all);
  });

  it.each<[string, (good: Buffer) => Buffer]>([
    ['is empty', () => Buffer.alloc(0)],
    ['is cut off in its statement', (good) => good.subarray(0, good.indexOf('PSP_AI') + 3)],
    ['has another tag for the roles', (good) => changed(good, good.indexOf('PSP_AI') - 16, 0x31)],
    ['has another tag for the name of a role', (good) => changed(good, good.indexOf('PSP_AI') - 2, 0x04)],
    ['claims a length beyond its end', (good) => changed(good, 1, 0x84)],
    ['is nested 6,000 times', () => nested(6_000)],
    ['is 1 MB of tags', () => Buffer.alloc(1_000_000, 0x30)],
  ])('allow no scope where the certificate %s', async (_fault, spoil) => {
    const good = await certificate(['PSP_AI']);
    expect([scopesAllowedBy(good), scopesAllowedBy(spoil(Buffer.from(good)))]).toEqual([['accounts'], []]);
  });

  it('are refused without an error whichever byte of a certificate is changed or cut off', async () => {
    const good = await certificate(['PSP_PI']);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.boolean(), (at, byte, cut) => {
        const bad = cut ? good.subarray(0, at) : Buffer.from(good);
        if (!cut) bad[at] = byte;
        expect(Array.isArray(scopesAllowedBy(bad))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

function changed(der: Buffer, at: number, byte: number): Buffer {
  der[at] = byte;
  return der;
}

/** Sequences within sequences, DER. */
function nested(depth: number): Buffer {
  let der = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) {
    const length = Buffer.alloc(3);
    length.writeUIntBE(der.length, 0, 3);
    der = Buffer.concat([Buffer.from([0x30, 0x83]), length, der]);
  }
  return der;
}
