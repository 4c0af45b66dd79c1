import type { ClauseId, TestDelivery } from '../../packages/adapter-kit/adapter-kit.js';
import type { CoreRead } from '../../packages/core-adapter/core.adapter.js';
import type { CoreBalance } from '../../packages/core-adapter/core.records.js';
import { TinyReplica, TinyReplicaAdapter, type TinyReplicaParts } from './tiny-replica.js';

const right: TinyReplicaParts = { Replica: TinyReplica, Adapter: TinyReplicaAdapter };

/** A replica that a delivery of one kind changes: it is taken, or is refused and has left something behind. */
const changedBy = (kind: TestDelivery, isSaid: boolean, byMs: number): TinyReplicaParts => ({
  ...right,
  Replica: class extends TinyReplica {
    override async deliver(delivery: TestDelivery): Promise<boolean> {
      if (delivery !== kind) return super.deliver(delivery);
      this.data = { ...this.data, asOfMs: this.data.asOfMs + byMs };
      return isSaid;
    }
  },
});

class KeepsTheFirst extends TinyReplicaAdapter {
  private readonly first = this.replica.data;

  override get data() {
    return this.first;
  }
}

class ForgetsTheAge extends TinyReplicaAdapter {
  override isStale(): boolean {
    return false;
  }
}

class TellsTheTimeOfReading extends TinyReplicaAdapter {
  override async balances(): Promise<CoreRead<CoreBalance>> {
    const { account, items, bad } = await super.balances();
    const at = new Date(this.replica.data.asOfMs + 60_000);
    return { account, items: items.map((item) => ({ ...item, at })), bad };
  }
}

class EmptyWhileItTakes extends TinyReplica {
  override async deliver(delivery: TestDelivery): Promise<boolean> {
    if (delivery !== 'cut-off') return super.deliver(delivery);
    this.data = { ...this.data, balances: [] };
    return false;
  }
}

/** A mistake of an adapter or of its loader for each clause on replicas. */
export const flawsOfReplicas: Readonly<Partial<Record<ClauseId, readonly [what: string, parts: TinyReplicaParts]>>> = {
  'CORE-70': ['keeps the delivery with which it began', { ...right, Adapter: KeepsTheFirst }],
  'CORE-71': ['takes a delivery with a broken record', changedBy('broken', true, 1_000)],
  'CORE-72': ['refuses a partial delivery, and has its time all the same', changedBy('partial', false, 1_000)],
  'CORE-73': ['takes an older delivery', changedBy('older', true, -1_000)],
  'CORE-74': ['loses records to a delivery that was cut off', { ...right, Replica: EmptyWhileItTakes }],
  'CORE-75': ['shows data of any age', { ...right, Adapter: ForgetsTheAge }],
  'CORE-76': ['gives balances the time of reading', { ...right, Adapter: TellsTheTimeOfReading }],
};

export { right };
