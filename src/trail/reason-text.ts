/** A reason for operators: its meaning, and the act that makes the next attempt pass. */
export interface ReasonText {
  readonly meaning: string;
  readonly remedy: string;
}
