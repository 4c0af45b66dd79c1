export function checkAgainstDocument(..._a: unknown[]): void {}
