import { beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { sandboxOrganisation } from '../../../sandbox/directory/software.js';
import { Authority } from '../../../sandbox/pki/authority.js';
import type { PspRole } from '../../../sandbox/pki/qc-statements.js';
import { CertificateAuthority } from '../../../test/support/certificates.js';
import { allowsAccountInformation } from './qc-statements.js';

describe('the roles in a certificate', () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await Authority.make(Date.parse('2026-06-15T12:00:00Z'));
  });
  const certificate = async (roles: readonly PspRole[]): Promise<Buffer> =>
    new X509Certificate((await authority.tpp({ ...sandboxOrganisation, roles })).certificate).raw;

  it.each<[readonly PspRole[], boolean]>([
    [['PSP_AI'], true],
    [['PSP_PI', 'PSP_AI', 'PSP_IC'], true],
    [['PSP_PI'], false],
    [['PSP_AS', 'PSP_PI', 'PSP_IC'], false],
    [[], false],
  ])('%j allow account information: %s', async (roles, expected) => {
    expect(allowsAccountInformation(await certificate(roles))).toBe(expected);
  });

  it('are not asked for where the certificate states none', () => {
    expect(allowsAccountInformation(new CertificateAuthority().issue('tpp').certificate.raw)).toBe(true);
    expect(allowsAccountInformation(new X509Certificate(authority.pair.certificate).raw)).toBe(true);
  });

  it('of what is cut off or changed are never read beyond its end', async () => {
    const good = await certificate(['PSP_PI']);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.boolean(), (at, byte, cut) => {
        const bad = cut ? good.subarray(0, at) : Buffer.from(good);
        if (!cut) bad[at] = byte;
        try {
          expect(typeof allowsAccountInformation(bad)).toBe('boolean');
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
