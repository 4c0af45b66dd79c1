import type { Provider } from '@nestjs/common';
import { PrismaService } from '../../persistence/prisma.service.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { BeginsJourneys } from '../oidc/provider-parts.js';
import { derivedKey } from '../sealing.js';
import { BankSignOn } from './bank-sign-on.js';
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
import { JourneyTrail } from './journey-trail.js';
import { JourneyRoutes } from './journey.routes.js';
import { JourneyStore } from './journey.store.js';
import { PendingPosts } from './pending-posts.js';
import { SignInAdvance } from './sign-in-advance.js';
import { SignInAnswers } from './sign-in-answers.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInSteps } from './sign-in-steps.js';
import { Visits } from './visit.js';

export const journeyProviders: readonly Provider[] = [
  BankSignOn,
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
  JourneyTrail,
  PendingPosts,
  SignInAdvance,
  SignInAnswers,
  SignInLimits,
  SignInSteps,
  Visits,
  { provide: BeginsJourneys, useClass: JourneyBegin },
  {
    provide: JourneyStore,
    inject: [PrismaService, AuthorisationSettings],
    useFactory: (prisma: PrismaService, { config }: AuthorisationSettings) =>
      new JourneyStore(prisma, derivedKey(config.keyEncryptionKey, 'journeys')),
  },
];
