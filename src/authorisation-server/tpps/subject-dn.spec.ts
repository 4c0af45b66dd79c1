import { describe, expect, it } from '@jest/globals';
import { isDistinguishedName, isSubject } from './subject-dn.js';

/** As Node prints it: the order of the encoding. */
const subject = 'C=GB\nO=Third Party\\, Limited\n2.5.4.97=PSDGB-FCA-123456\nCN=0015800001041RE';

describe('the subject of a certificate', () => {
  it.each([
    ['CN=0015800001041RE,2.5.4.97=PSDGB-FCA-123456,O=Third Party\\, Limited,C=GB', 'in the order of RFC 4514'],
    [
      'C=GB, O="Third Party, Limited", organizationIdentifier=PSDGB-FCA-123456, CN=0015800001041RE',
      'in quotes, by name',
    ],
    [
      'cn=0015800001041RE,OID.2.5.4.97=PSDGB-FCA-123456,o=Third Party\\2C Limited,c=GB',
      'with escapes and an OID prefix',
    ],
    ['CN=0015800001041RE,2.5.4.97=#0c1050534447422d4643412d313233343536,O=Third Party\\, Limited,C=GB', 'in hex'],
    [
      'CN=0015800001041RE,2.5.4.97=#0c811050534447422d4643412d313233343536,O=Third Party\\, Limited,C=GB',
      'in hex with a length of two bytes',
    ],
    ['CN=0015800001041RE,O=Third Party\\, Limited,C=GB', 'without the organisation identifier, which some tools drop'],
  ])('is %s (%s)', (registered) => {
    expect([isDistinguishedName(registered), isSubject(subject, registered)]).toEqual([true, true]);
  });

  it.each([
    ['CN=0015800001041RX,2.5.4.97=PSDGB-FCA-123456,O=Third Party\\, Limited,C=GB', 'another name'],
    ['CN=0015800001041RE,2.5.4.97=PSDGB-FCA-999999,O=Third Party\\, Limited,C=GB', 'another organisation'],
    ['CN=0015800001041RE,C=GB', 'an attribute less'],
    ['CN=0015800001041RE,2.5.4.97=PSDGB-FCA-123456,O=Third Party\\, Limited,C=GB,OU=More', 'an attribute more'],
    ['CN=0015800001041RE,O=Third Party, Limited,C=GB', 'a comma that is not escaped'],
    ['CN=0015800001041RE,2.5.4.97=#0c7f50,O=Third Party\\, Limited,C=GB', 'hex that claims more than it has'],
    ['CN=0015800001041RE,2.5.4.97=#0c,O=Third Party\\, Limited,C=GB', 'hex that is cut off'],
    ['', 'nothing'],
    ['0015800001041RE', 'no attribute'],
  ])('is not %s (%s)', (registered) => {
    expect(isSubject(subject, registered)).toBe(false);
  });

  it.each([
    ['/C=GB/O=Third Party/CN=0015800001041RE', 'the form of OpenSSL'],
    ['0015800001041RE', 'no attribute'],
    ['CN=', 'an attribute without a value'],
    ['=0015800001041RE', 'a value without a name'],
    ['CN=a,', 'a comma at the end'],
    ['CN=a\\zb', 'an escape that RFC 4514 does not have'],
    ['CN="a', 'an open quote'],
    ['CN=#0c1', 'half a byte in hex'],
    ['CN=a<b', 'a character that must be escaped'],
    ['C N=a', 'a name of two words'],
    ['', 'nothing'],
  ])('is not a text like %s (%s)', (text) => {
    expect(isDistinguishedName(text)).toBe(false);
  });

  it('is checked in no time, however long the text is', () => {
    for (const text of [`CN=${' '.repeat(60_000)}"`, `CN=a${',CN=a'.repeat(12_000)},`, `CN=${'\\ '.repeat(30_000)}"`])
      expect(isDistinguishedName(text)).toBe(false);
  });
});
