/** The tests run on this release, and oidc-provider supports long-term (LTS) releases only, none before Node 22. */
const oldestRelease = 24;

/** Why the gateway cannot run on this Node. */
export function faultOfNode({ version, release }: Pick<NodeJS.Process, 'version' | 'release'>): string | undefined {
  if (Number(/\d+/.exec(version)?.[0]) >= oldestRelease && release.lts !== undefined) return undefined;
  return (
    `it needs Node ${oldestRelease} or a later long-term release, and this is Node ${version.slice(1)}: ` +
    'start it with `npm run start:gateway`, which runs the Node that `npm ci` installs'
  );
}
