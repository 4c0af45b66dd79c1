/** Remembers the proofs (RFC 9449) that were used, for all processes, so that none is used twice. */
export abstract class ProofStore {
  /** False when the proof was used before; of two that race, one is told true. Until `expiresAt` none is forgotten. */
  abstract use(proofId: string, expiresAt: Date, now: Date): Promise<boolean>;
}
