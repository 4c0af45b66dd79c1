import type { Sweep } from '../persistence/sweep.js';
import { sweepDashboardSessions } from './dashboard/dashboard-session.store.js';
import { sweepArtefacts } from './oidc/artefact.store.js';

/** The sweeps of the rows of the authorization server that expire, but journeys, which a gateway also records. */
export const expiredRows: readonly Sweep[] = [sweepArtefacts, sweepDashboardSessions];
