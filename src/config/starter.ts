/** Whether `npm run start:gateway` has started this process, and is its parent. */
export function startedByNpm(variables: NodeJS.ProcessEnv = process.env): boolean {
  return variables['npm_lifecycle_event'] === 'start:gateway';
}
