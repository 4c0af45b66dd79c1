/**
 * The roles in which a payment service provider may be authorised, with their identifiers: ETSI TS 119 495, section 4.2
 * and annex A.
 */
const roleIds = {
  PSP_AS: '0.4.0.19495.1.1',
  PSP_PI: '0.4.0.19495.1.2',
  PSP_AI: '0.4.0.19495.1.3',
  PSP_IC: '0.4.0.19495.1.4',
} as const;
export type PspRole = keyof typeof roleIds;

export function isPspRole(value: unknown): value is PspRole {
  return typeof value === 'string' && Object.hasOwn(roleIds, value);
}

/** As certificates name it, and, by `directoryId`, as the directory does. */
export const competentAuthority = { name: 'Financial Conduct Authority', id: 'GB-FCA', directoryId: 'FCAGBR' } as const;

/** RFC 3739, section 3.2.6. */
export const qcStatementsId = '1.3.6.1.5.5.7.1.3';
const psd2StatementId = '0.4.0.19495.2';

/** The DER encoding of the extension that tells a TPP's roles and who authorised it. */
export function psd2Statements(
  roles: readonly PspRole[],
  authority: { readonly name: string; readonly id: string },
): Buffer {
  const rolesOfPsp = roles.map((role) => sequence(objectIdentifier(roleIds[role]), utf8(role)));
  const psd2 = sequence(sequence(...rolesOfPsp), utf8(authority.name), utf8(authority.id));
  return sequence(sequence(objectIdentifier(psd2StatementId), psd2));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text));
}

/** X.690, section 8.19: the first two arcs in one byte, every other one in base 128. */
function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(arc: number): number[] {
  const digits = [arc & 0x7f];
  for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** X.690, section 8.1.3: the length in the short form, or in the long form of one or two bytes. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length > 0xffff) throw new Error('longer than any certificate extension of ours');
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >>> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
