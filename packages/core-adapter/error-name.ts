/** Whether the value is an error with this name, of whichever copy of the port. */
export function hasName(error: unknown, name: string): error is Error {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name;
}
