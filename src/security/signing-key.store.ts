import type { JWK } from 'jose';
import type { SigningKey as SigningKeyRow } from '../../prisma/client/client.js';
import type { PrismaService } from '../persistence/prisma.service.js';
import { isUniqueViolation } from '../persistence/unique-violation.js';
import type { TokenAlgorithm } from '../config/config.js';

export interface StoredSigningKey {
  readonly kid: string;
  readonly alg: TokenAlgorithm;
  readonly generation: number;
  readonly publicJwk: JWK;
  readonly sealedPrivate: string;
  readonly signsFrom: Date;
  /** Absent while the key has no successor. */
  readonly publishedUntil?: Date;
}

export class SigningKeyStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The keys that are published at `now`, newest first, in the same order at each start. */
  async published(now: Date): Promise<readonly StoredSigningKey[]> {
    const rows = await this.prisma.signingKey.findMany({
      where: { OR: [{ publishedUntil: null }, { publishedUntil: { gt: now } }] },
      orderBy: [{ generation: 'desc' }, { alg: 'desc' }],
    });
    return rows.map(toKey);
  }

  /**
   * Adds a key and gives its predecessors of the algorithm their end, in one transaction. False when another process
   * added one of the same generation: then nothing was changed.
   */
  async succeed(key: StoredSigningKey, predecessorsEnd: Date): Promise<boolean> {
    const { kid, alg, generation, publicJwk, sealedPrivate, signsFrom } = key;
    try {
      await this.prisma.$transaction([
        this.prisma.signingKey.create({
          data: { kid, alg, generation, publicJwk: publicJwk, sealedPrivate, signsFrom },
        }),
        this.prisma.signingKey.updateMany({
          where: { alg, generation: { lt: generation }, publishedUntil: null },
          data: { publishedUntil: predecessorsEnd },
        }),
      ]);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Removes the keys whose publication ended before `now`: all tokens that they signed have expired. */
  async sweep(now: Date): Promise<void> {
    await this.prisma.signingKey.deleteMany({ where: { publishedUntil: { lt: now } } });
  }
}

function toKey(row: SigningKeyRow): StoredSigningKey {
  return {
    kid: row.kid,
    alg: row.alg as TokenAlgorithm,
    generation: row.generation,
    publicJwk: row.publicJwk as JWK,
    sealedPrivate: row.sealedPrivate,
    signsFrom: row.signsFrom,
    ...(row.publishedUntil !== null && { publishedUntil: row.publishedUntil }),
  };
}
