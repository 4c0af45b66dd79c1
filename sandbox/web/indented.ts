/** JSON in lines that a person can read. A text that is cut off, or no JSON, stays as it is. */
export function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
