/** Whether a Host header names the host of this URL of ours, whose default port may be written out (RFC 9110, 4.2.3). */
export function isHostOf(url: string): (header: string | undefined) => boolean {
  const { host, port, protocol } = new URL(url);
  const full = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
  return (header) => {
    const named = header?.toLowerCase();
    return named === host || named === full;
  };
}
