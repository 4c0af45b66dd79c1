/** Remembers the used proofs (RFC 9449) of all processes, so that no proof is used twice. */
export abstract class ProofStore {
  /**
   * False when the proof was used before. When two requests use one proof at once, one of them gets true. No proof is
   * forgotten before its `expiresAt`, a time of the gateway’s clock.
   */
  abstract use(proofId: string, expiresAt: Date): Promise<boolean>;
}
