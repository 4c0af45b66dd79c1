import type { Sweep } from '../persistence/sweep.js';
import { sweepDashboardSessions } from './dashboard/dashboard-session.store.js';
import { sweepJourneys } from './journey/journey.store.js';
import { sweepSignInAttempts } from './journey/sign-in-attempts.store.js';
import { sweepArtefacts } from './oidc/artefact.store.js';

/** The sweeps of all rows of the authorization server that expire. */
export const expiredRows: readonly Sweep[] = [
  sweepArtefacts,
  sweepJourneys,
  sweepDashboardSessions,
  sweepSignInAttempts,
];
