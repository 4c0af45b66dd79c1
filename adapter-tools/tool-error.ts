/** What the engineer has to mend. The message is one line. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
