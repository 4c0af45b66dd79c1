import type { Provider } from '@nestjs/common';
import { CustomerAccess } from './customer-access.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { DashboardSessionStore } from './dashboard-session.store.js';
import { DashboardSignIn } from './dashboard-sign-in.js';
import { DashboardRoutes } from './dashboard.routes.js';

export const dashboardProviders: readonly Provider[] = [
  CustomerAccess,
  DashboardRoutes,
  DashboardSessions,
  DashboardSessionStore,
  DashboardSignIn,
];
