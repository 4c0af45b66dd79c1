/** The newest one-time code that the sandbox's inbox page shows for a login name. */
export async function codeFor(loginName: string, inboxUrl: string): Promise<string> {
  const page = await (await fetch(`${inboxUrl}?to=${encodeURIComponent(loginName)}`)).text();
  const code = /<strong class="code">(\d{6})<\/strong>/.exec(page)?.[1];
  if (code === undefined) throw new Error(`the inbox holds no code for ${loginName}`);
  return code;
}
