import { isUnderWay, type PlannedOutage } from './planned-outage.js';

export const serviceStates = ['OK', 'PARTIAL_FAILURE', 'UNAVAILABLE', 'SCHEDULED_OUTAGE'] as const;
export type ServiceState = (typeof serviceStates)[number];

/** The facts of which TPPs learn the sum. */
export interface ServiceFacts {
  readonly isDatabaseUnreachable: boolean;
  /** It accepts no changes, or something that some requests need is missing. */
  readonly isLimited: boolean;
  readonly cores: number;
  readonly unreachableCores: number;
}

/** The state apart from planned outages. */
export function stateOf({ isDatabaseUnreachable, isLimited, cores, unreachableCores }: ServiceFacts): ServiceState {
  if (isDatabaseUnreachable || (cores > 0 && unreachableCores === cores)) return 'UNAVAILABLE';
  return isLimited || unreachableCores > 0 ? 'PARTIAL_FAILURE' : 'OK';
}

/** The state that TPPs see now. A planned outage that is under way comes first: it explains all the others. */
export function shownState(
  measured: { readonly state: ServiceState; readonly sinceMs: number },
  outages: readonly PlannedOutage[],
  nowMs: number,
): { readonly state: ServiceState; readonly sinceMs: number } {
  const outage = outages.find((one) => isUnderWay(one, nowMs));
  return outage === undefined ? measured : { state: 'SCHEDULED_OUTAGE', sinceMs: outage.fromMs };
}
