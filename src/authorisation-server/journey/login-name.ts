/** As banks compare login names: without regard to case, and to spaces at the ends. */
export function normalLoginName(loginName: string): string {
  return loginName.trim().toLowerCase();
}
