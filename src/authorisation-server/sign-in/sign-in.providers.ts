import type { Provider } from '@nestjs/common';
import { BankSignOn } from './bank-sign-on.js';
import { JourneyTrail } from './journey-trail.js';
import { JourneyStore } from './journey.store.js';
import { SignIn } from './service.js';
import { SignInLimits } from './sign-in-limits.js';

export const signInProviders: readonly Provider[] = [BankSignOn, JourneyStore, JourneyTrail, SignIn, SignInLimits];
