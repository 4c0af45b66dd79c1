import { BootError } from '../../src/config/boot-error.js';
import { readDatabaseSettings } from '../../src/config/database-settings.js';
import { printable } from '../../src/open-banking/printable.js';
import { embeddedIssuer } from '../../src/open-banking/tpp-id.js';
import { explain, type Explanation } from '../../src/trail/explain.js';
import { partIn, type StoredEvent } from '../../src/trail/stored-event.js';
import type { SearchScope } from '../../src/trail/trail-search.js';

/** An event, or a part of an answer, that may have a TPP. */
interface OfTpp {
  readonly tpp?: unknown;
  readonly issuer?: unknown;
}

/** The names of TPPs by client id. */
export class TppNames {
  constructor(private readonly names: ReadonlyMap<unknown, string>) {}

  /** For a program: with the name as a member, where it is known. */
  readonly named = <Part extends OfTpp>(part: Part): Part & { readonly name?: string } => {
    const name = isOfDatabase(part) ? this.names.get(part.tpp) : undefined;
    return name === undefined ? part : { ...part, name };
  };

  /** For a person: `Copper Budget (6c7ae279-…)` in place of the client id, where the name is known. */
  readonly shown = <Part extends OfTpp>(part: Part): Part => {
    const name = isOfDatabase(part) ? this.names.get(part.tpp) : undefined;
    return name === undefined ? part : { ...part, tpp: `${name} (${String(part.tpp)})` };
  };

  /** The event in words with the name, and the name as a member. */
  explained(event: StoredEvent): Explanation & { readonly name?: string } {
    const { name } = this.named({ tpp: event['tpp'], issuer: event['issuer'] });
    const target = event['target'] !== undefined && { target: this.shown(partIn(event, 'target')) };
    return { ...explain({ ...this.shown(event), ...target }), ...(name !== undefined && { name }), event };
  }
}

/**
 * Asks the database for the names of all these TPPs at once. Without a database that answers they have no names.
 * @param searched says whether the database has answered before
 */
export async function tppNames(
  parts: readonly OfTpp[],
  { rootsUnread }: SearchScope,
  note: (line: string) => void,
): Promise<TppNames> {
  const clientIds = [...new Set(parts.filter(isOfDatabase).map(({ tpp }) => tpp))];
  const { url } = readDatabaseSettings();
  if (url === undefined || rootsUnread === true || clientIds.length === 0) return new TppNames(new Map());
  // The module opens PostgreSQL, which takes a quarter of a second to load.
  const { withClient } = await import('./gateway-database.js');
  try {
    return await withClient(url, async (client) => {
      const query = 'SELECT client_id, name FROM tpps WHERE client_id = ANY($1)';
      const { rows } = await client.query<{ client_id: string; name: string }>(query, [clientIds]);
      return new TppNames(new Map(rows.map(({ client_id, name }) => [client_id, printable(name)])));
    });
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    note(`${error.message} TPPs are shown by client id.`);
    return new TppNames(new Map());
  }
}

/** The database has the TPPs of the embedded authorization server alone: another issuer may give the same client id. */
function isOfDatabase({ tpp, issuer }: OfTpp): boolean {
  return issuer === embeddedIssuer && typeof tpp === 'string';
}
