// The whole port in one file, as a package export and the adapters' template need it.
export * from './core-error.js';
export * from './core-services.js';
export * from './core-settings.js';
export * from './core.adapter.js';
export * from './core.records.js';
export * from './core-rows.js';
export * from './http-core.client.js';
