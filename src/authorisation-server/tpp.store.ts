import { LRUCache } from 'lru-cache';
import type { ClientMetadata } from 'oidc-provider';
import type { Clock } from '../clock/clock.js';
import type { ConsentChanges } from '../consents/consent.store.js';
import type { Prisma, Tpp as TppRow } from '../persistence/generated/client.js';
import type { PrismaService } from '../persistence/prisma.service.js';

/** A TPP that may use the authorization server. */
export interface Tpp {
  readonly clientId: string;
  /** As customers know it. */
  readonly name: string;
  /** An absolute https URL or a `data:` URL. */
  readonly logo?: string;
  /** Of a suspended one tokens, refreshes and requests fail at once; its consents stay for when it is reinstated. */
  readonly status: 'active' | 'suspended';
  /** What the TPP registered: RFC 7591, and `fapi_profile`. */
  readonly metadata: ClientMetadata;
}

/** What the change feed says of a TPP: see the migration. */
const changePrefix = 'tpp:';

/** The TPPs, kept in memory for as long as changes can be heard, as consents are. */
export class TppStore {
  private readonly kept = new LRUCache<string, Tpp>({ max: 10_000 });
  private hearing = false;
  private generation = 0;

  constructor(
    private readonly prisma: PrismaService,
    changes: ConsentChanges,
    private readonly clock: Clock,
  ) {
    changes.subscribe(
      (changed) => {
        if (changed.startsWith(changePrefix)) this.forget(changed.slice(changePrefix.length));
      },
      (hearing) => {
        this.hearing = hearing;
        this.generation++;
        this.kept.clear();
      },
    );
  }

  /** The TPP, or `undefined` when it is unknown. Not a promise when it is at hand. */
  find(clientId: string): Tpp | undefined | Promise<Tpp | undefined> {
    return this.kept.get(clientId) ?? this.load(clientId);
  }

  /** Registers the TPP, or changes what is registered. One that is suspended stays so: see {@link setStatus}. */
  async save({ clientId, name, logo, status, metadata }: Tpp): Promise<void> {
    const now = new Date(this.clock.nowMs());
    const data = {
      name,
      logo: logo ?? null,
      metadata: metadata as Prisma.InputJsonObject,
      updatedAt: now,
    };
    await this.prisma.tpp.upsert({
      where: { clientId },
      create: { clientId, ...data, status, createdAt: now },
      update: { ...data, ...(status === 'suspended' && { status }) },
    });
    this.forget(clientId);
  }

  /** Suspends or reinstates. False when there is no such TPP. */
  async setStatus(clientId: string, status: Tpp['status']): Promise<boolean> {
    const updatedAt = new Date(this.clock.nowMs());
    const { count } = await this.prisma.tpp.updateMany({ where: { clientId }, data: { status, updatedAt } });
    this.forget(clientId);
    return count === 1;
  }

  async list(): Promise<readonly Tpp[]> {
    return (await this.prisma.tpp.findMany({ orderBy: { clientId: 'asc' } })).map(toTpp);
  }

  private async load(clientId: string): Promise<Tpp | undefined> {
    if (clientId.includes('\0')) return undefined;
    const { generation } = this;
    const row = await this.prisma.tpp.findUnique({ where: { clientId } });
    if (row === null) return undefined;
    const tpp = toTpp(row);
    if (this.hearing && generation === this.generation) this.kept.set(clientId, tpp);
    return tpp;
  }

  private forget(clientId: string): void {
    this.generation++;
    this.kept.delete(clientId);
  }
}

function toTpp({ clientId, name, logo, status, metadata }: TppRow): Tpp {
  return {
    clientId,
    name,
    ...(logo !== null && { logo }),
    // The database allows these two only; whatever else it were, it would not be active.
    status: status === 'active' ? 'active' : 'suspended',
    metadata: { ...(metadata as object), client_id: clientId },
  };
}
