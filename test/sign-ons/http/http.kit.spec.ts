import { describeCustomerAuthentication } from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { kit } from './http.kit.js';

describeCustomerAuthentication('http', kit);
