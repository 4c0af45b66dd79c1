import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, type JWK } from 'jose';
import { tokenAlgorithms } from '../../config/config.js';
import { clockToleranceSeconds, verifyJwt } from './signed-jwt.js';
import type { RefusalReason } from '../../open-banking/reasons.js';
import { InvalidToken } from './token-claims.js';

/** RFC 9449, section 11.1: the greatest age of a proof, and how far the clock of its maker may be ahead of ours. */
const proofLifeMs = 60_000;
const clockToleranceMs = clockToleranceSeconds * 1_000;

/** The proof does not belong to this token, this request and this moment. */
export class InvalidProof extends InvalidToken {
  constructor(description: string, reason: RefusalReason = 'proof-invalid') {
    super(description, reason);
  }
}

export interface ProvenRequest {
  readonly method: string;
  /** Absolute, with the configured base URL. The comparison ignores a query. */
  readonly url: string;
  readonly accessToken: string;
  /** The thumbprint of the key to which the token is bound. */
  readonly keyThumbprint: string;
}

/** A valid proof. The caller must still check that it was not used before. */
export interface DpopProof {
  /** Identifies key and `jti`, and reveals no text of the TPP. */
  readonly id: string;
  /** From then on the proof is refused for its age, even by a clock that differs by twice the tolerance. */
  readonly expiresAtMs: number;
}

/** Makes all checks of RFC 9449, section 4.3, except the replay check. Rejects with {@link InvalidProof}. */
export async function verifyProof(proof: string, request: ProvenRequest, nowMs: number): Promise<DpopProof> {
  const { payload, key } = await verifySignature(proof, nowMs);
  const { htm, htu, ath, iat, jti } = payload;
  if (key !== request.keyThumbprint) throw new InvalidProof('the proof is signed with another key');
  if (htm !== request.method) throw new InvalidProof('the proof is for another method');
  if (typeof htu !== 'string' || comparable(htu) === undefined || comparable(htu) !== comparable(request.url))
    throw new InvalidProof('the proof is for another URL');
  if (ath !== digest(request.accessToken)) throw new InvalidProof('the proof is for another token');
  if (typeof iat !== 'number' || iat * 1_000 <= nowMs - proofLifeMs || iat * 1_000 > nowMs + clockToleranceMs)
    throw new InvalidProof('the iat of the proof is too old or in the future');
  if (typeof jti !== 'string' || jti === '') throw new InvalidProof('the proof has no jti');
  return { id: digest(`${key} ${jti}`), expiresAtMs: iat * 1_000 + proofLifeMs + 2 * clockToleranceMs };
}

async function verifySignature(
  proof: string,
  nowMs: number,
): Promise<{ payload: Readonly<Record<string, unknown>>; key: string }> {
  try {
    const { payload, protectedHeader } = await verifyJwt(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...tokenAlgorithms],
      currentDate: new Date(nowMs),
    });
    return { payload, key: await calculateJwkThumbprint(protectedHeader.jwk as JWK) };
  } catch {
    // The key and all else come with the proof, so every error is the TPP's fault.
    throw new InvalidProof('the proof is not valid');
  }
}

/** RFC 9449, section 4.3, step 9: without query and fragment, after normalisation (RFC 3986, section 6.2). */
function comparable(url: string): string | undefined {
  try {
    const { origin, pathname } = new URL(url);
    const segments = pathname.split('/').map((segment) => encodeURIComponent(decodeURIComponent(segment)));
    return origin + segments.join('/').replace(/\/+$/, '');
  } catch {
    return undefined;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
