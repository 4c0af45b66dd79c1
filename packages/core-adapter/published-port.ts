// The whole port in one file, as a package export and the adapters' template need it.
export * from './account-numbers.js';
export * from './connect-fault.js';
export * from './core-error.js';
export * from './core-services.js';
export * from './core-settings.js';
export * from './core.adapter.js';
export * from './core.records.js';
export * from './core-rows.js';
export * from './currencies.js';
export * from './http-core.client.js';
export * from './local-times.js';
export * from './minor-units.js';
export * from './oauth-client-credentials.js';
export * from './port-version.js';
export * from './row-fields.js';
export * from './tls-files.js';
export * from './transaction-pager.js';
