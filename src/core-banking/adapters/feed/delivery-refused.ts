import type { Refusal } from './delivery-loading.js';

/** Why a delivery is not taken. */
export class DeliveryRefused extends Error implements Refusal {
  override readonly name = 'DeliveryRefused';

  constructor(
    readonly reason: Refusal['reason'],
    message: string,
    readonly faults: readonly string[] = [],
  ) {
    super(message);
  }
}
