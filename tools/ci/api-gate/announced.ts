const announcement = /^- Breaking: /;

/**
 * The places that the changelog announces since a release: those in backticks of each item that begins with "Breaking:" and
 * that the release's changelog does not have.
 */
export function announcedSince(released: string, present: string): ReadonlySet<string> {
  const old = new Set(itemsOf(released));
  const fresh = itemsOf(present).filter((item) => announcement.test(item) && !old.has(item));
  return new Set(fresh.flatMap((item) => [...item.matchAll(/`([^`]+)`/g)].map(([, place]) => place ?? '')));
}

/** The items of the lists, each on one line. */
function itemsOf(markdown: string): readonly string[] {
  const items: string[] = [];
  for (const line of markdown.split(/\r?\n/)) {
    if (/^[-#]/.test(line) || line.trim() === '') items.push(line);
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items;
}
