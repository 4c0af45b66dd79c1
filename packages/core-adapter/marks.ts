/**
 * Whether an error bears the mark. An adapter from a bank's separate repository brings its own copy of the
 * port, so that the classes of its errors are not the gateway's: both copies know them by a symbol of the whole process.
 */
export function isMarked<Mark extends symbol>(value: unknown, mark: Mark): value is Record<Mark, unknown> {
  return typeof value === 'object' && value !== null && mark in value;
}
