// The whole port in one file, as a package export and the adapters' template need it.
export * from './customer-authentication.js';
export * from './customer-authentication-services.js';
export * from './port-version.js';
export * from './sign-on-http.js';
export type { CoreClock, CoreLogFields, CoreLogger, CoreMetrics } from '../core-adapter/core-services.js';
