/** A fault that the engineer has to correct. The message is one line. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
