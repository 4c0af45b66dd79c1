// Nightly: each change runs the kit for the sandbox bank’s sign-on.
import { describeCustomerAuthentication } from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { kit } from './oidc.kit.js';

describeCustomerAuthentication('oidc', kit);
