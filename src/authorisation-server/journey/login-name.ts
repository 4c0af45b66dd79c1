/** As banks compare them: neither case nor spaces at the ends make another name. */
export function normalLoginName(loginName: string): string {
  return loginName.trim().toLowerCase();
}
