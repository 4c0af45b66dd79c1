export function checkAgainstStandard(..._a: unknown[]): void {}
