import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../persistence/prisma.service.js';
import { logoPath } from '../pages/customer-pages.js';
import type { Tpp } from './tpp.store.js';

interface StoredLogo {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface LogoToFetch {
  readonly clientId: string;
  readonly url: string;
}

/** The fetched logos of TPPs. Only a logo of the TPP's present URL is shown. */
@Injectable()
export class TppLogoStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The value of `src` for each TPP's logo: a path of ours, or a `data:` URL. TPPs without a logo are left out. */
  async shown(tpps: readonly Pick<Tpp, 'clientId' | 'logo'>[]): Promise<ReadonlyMap<string, string>> {
    const inText = tpps.flatMap(({ clientId, logo }) => (logo?.startsWith('data:') ? [[clientId, logo] as const] : []));
    const wanted = tpps.filter(({ logo }) => logo !== undefined && !logo.startsWith('data:'));
    if (wanted.length === 0) return new Map(inText);
    const urls = new Map(wanted.map(({ clientId, logo }) => [clientId, logo]));
    const rows = await this.prisma.tppLogo.findMany({
      where: { clientId: { in: [...urls.keys()] }, digest: { not: null } },
      select: { clientId: true, url: true, digest: true },
    });
    const fetched = rows.flatMap(({ clientId, url, digest }) =>
      urls.get(clientId) === url ? [[clientId, `${logoPath}/${digest}`] as const] : [],
    );
    return new Map([...inText, ...fetched]);
  }

  /** @param digest SHA-256, hexadecimal */
  async find(digest: string): Promise<StoredLogo | undefined> {
    const row = await this.prisma.tppLogo.findFirst({ where: { digest }, select: { contentType: true, body: true } });
    return row?.contentType && row.body ? { contentType: row.contentType, body: row.body } : undefined;
  }

  /**
   * Claims a logo for this process to fetch: its URL is new, or the last fetch failed before `before`. One of several processes
   * gets it. `undefined` when no logo is waiting.
   */
  async take(before: Date, now: Date): Promise<LogoToFetch | undefined> {
    const [row] = await this.prisma.$queryRaw<{ client_id: string; url: string }[]>`
      INSERT INTO tpp_logos AS kept (client_id, url, tried_at)
      SELECT t.client_id, t.logo, ${now} FROM tpps AS t LEFT JOIN tpp_logos AS l USING (client_id)
        WHERE t.status = 'active' AND t.logo LIKE 'http%'
          AND (l.client_id IS NULL OR l.url <> t.logo OR (l.digest IS NULL AND l.tried_at < ${before}))
        ORDER BY l.tried_at NULLS FIRST LIMIT 1
      ON CONFLICT (client_id) DO UPDATE
        SET url = EXCLUDED.url, tried_at = EXCLUDED.tried_at, digest = NULL, content_type = NULL, body = NULL
        WHERE kept.url <> EXCLUDED.url OR (kept.digest IS NULL AND kept.tried_at < ${before})
      RETURNING client_id, url`;
    return row && { clientId: row.client_id, url: row.url };
  }

  /** Stores the fetched logo, unless the TPP has registered another URL meanwhile. */
  async keep({ clientId, url }: LogoToFetch, { contentType, body }: StoredLogo): Promise<void> {
    const digest = createHash('sha256').update(contentType).update(body).digest('hex');
    await this.prisma.tppLogo.updateMany({ where: { clientId, url }, data: { digest, contentType, body } });
  }
}
