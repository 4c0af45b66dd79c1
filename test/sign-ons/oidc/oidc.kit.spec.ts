import { describeCustomerAuthentication } from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { kit } from './oidc.kit.js';

describeCustomerAuthentication('oidc', kit);
