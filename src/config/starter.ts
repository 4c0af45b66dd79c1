/** Whether `npm run start:gateway` has started this process, and is its parent. */
export function startedByNpm(): boolean {
  return process.env['npm_lifecycle_event'] === 'start:gateway';
}
