import type { Provider } from '@nestjs/common';
import { BeginsJourneys } from '../oidc/provider-parts.js';
import { CustomerAccounts } from './customer-accounts.js';
import { Grants } from './grants.js';
import { JourneyAnswers } from './journey-answers.js';
import { JourneyArrival } from './journey-arrival.js';
import { JourneyBegin } from './journey-begin.js';
import { JourneyDecision } from './journey-decision.js';
import { JourneyDecisionPage } from './journey-decision-page.js';
import { JourneyEnd } from './journey-end.js';
import { JourneyShow } from './journey-show.js';
import { JourneySignIn } from './journey-sign-in.js';
import { JourneyRoutes } from './journey.routes.js';
import { JourneyContextReader } from './journey-context.js';

export const journeyProviders: readonly Provider[] = [
  CustomerAccounts,
  Grants,
  JourneyAnswers,
  JourneyArrival,
  JourneyDecision,
  JourneyDecisionPage,
  JourneyEnd,
  JourneyRoutes,
  JourneyShow,
  JourneySignIn,
  JourneyContextReader,
  { provide: BeginsJourneys, useClass: JourneyBegin },
];
