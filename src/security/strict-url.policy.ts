/** No real address is longer. */
const mostCharacters = 2_048;
/** RFC 3986, without what it allows nowhere outside percent-encoding: blanks, controls, quotes, brackets, a backslash. */
const rest = /^(?:[/?#](?:[\w\-.~!$&'()*+,;=:@/?#]|%[0-9A-Fa-f]{2})*)?$/;
const authority = /^(https?):\/\/(\[[0-9a-f:]+\]|[A-Za-z0-9.-]+)(?::([1-9][0-9]{0,4}))?(?=[/?#]|$)/;
const dnsLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The origin of a URL that a TPP gave, by a strict grammar: http or https, a host by the exact grammar of a DNS name or an IP address in its
 * one canonical form, no user name, no wildcard, no character that a URL must not have. `undefined` for every other text.
 * The origin consists of letters, digits and `.:-[]/` alone, so that it can stand in a header. Every parser finds the same
 * host in the URL.
 */
export function strictOrigin(url: unknown): string | undefined {
  if (typeof url !== 'string' || url.length > mostCharacters) return undefined;
  const [matched, scheme, givenHost = '', port] = authority.exec(url) ?? [];
  if (matched === undefined || !rest.test(url.slice(matched.length)) || !URL.canParse(url)) return undefined;
  const host = givenHost.toLowerCase();
  const parsed = new URL(url);
  // Refuse a host that a parser changes (127.1, 0x7f000001, [0::1]).
  if (parsed.protocol !== `${scheme}:` || parsed.hostname !== host) return undefined;
  if (!host.startsWith('[') && !(host.length <= 253 && host.split('.').every((label) => dnsLabel.test(label))))
    return undefined;
  return port !== undefined && Number(port) > 65_535 ? undefined : parsed.origin;
}

export function isHttpsUrl(url: unknown): url is string {
  return strictOrigin(url)?.startsWith('https://') === true;
}
