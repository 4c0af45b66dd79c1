import { HttpService } from '@nestjs/axios';
import type { Provider } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import type { DirectoryConfig } from '../../config/config.js';
import { DirectoryClient } from '../../security/directory.client.js';
import { issuerKeys } from '../../security/tokens/issuer-keys.js';
import { maxDocumentBytes, TppDocumentClient } from '../../security/tpp-document.client.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { isLoopback, METADATA_TERMS, type MetadataTerms } from './client-metadata.policy.js';
import { EmbeddedTppCheck } from './embedded-tpp.check.js';
import { GoodStanding } from './good-standing.js';
import { DIRECTORY, RegistrationRequests, type Directory } from './registration-request.js';
import { Registration } from './registration.js';
import { RegistrationRoutes } from './registration.routes.js';
import { StatementWatch } from './statement-watch.js';
import { TppKeySets } from './tpp-key-sets.js';
import { TppRegistry } from './tpp.registry.js';
import { TppStore } from './tpp.store.js';
import { TppsFile } from './tpps-file.js';

const keySetTerms = { accept: 'application/json', mostBytes: maxDocumentBytes, deadlineMs: 2_500 };
const optionalDirectory = { token: DirectoryClient, optional: true };

const ofEveryServer: readonly Provider[] = [
  EmbeddedTppCheck,
  GoodStanding,
  RegistrationRoutes,
  TppRegistry,
  TppsFile,
  TppStore,
  {
    provide: TppDocumentClient,
    inject: [HttpService, optionalDirectory],
    useFactory: (http: HttpService, directory?: DirectoryClient) => new TppDocumentClient(http, directory),
  },
  {
    provide: TppKeySets,
    inject: [TppDocumentClient, Clock],
    useFactory: (documents: TppDocumentClient, clock: Clock) =>
      new TppKeySets((url) => documents.read(url, keySetTerms), clock),
  },
  {
    provide: METADATA_TERMS,
    inject: [AuthorisationSettings, optionalDirectory],
    useFactory: ({ config }: AuthorisationSettings, directory?: DirectoryClient): MetadataTerms => ({
      sandbox: isLoopback(config.browser.url),
      isDirectoryUrl: (url) => directory?.isDirectoryUrl(url) ?? false,
    }),
  },
];

/** @param directory by whose word alone a TPP can register itself; absent where the bank has none */
export function tppsProviders(directory: DirectoryConfig | undefined): readonly Provider[] {
  if (directory === undefined) return ofEveryServer;
  return [
    ...ofEveryServer,
    {
      provide: DIRECTORY,
      inject: [HttpService, Clock],
      useFactory: (http: HttpService, clock: Clock): Directory => {
        const { jwks, caFile } = directory;
        return { ...directory, keys: issuerKeys(http, { jwks, ...(caFile && { jwksCaFile: caFile }) }, clock) };
      },
    },
    {
      provide: DirectoryClient,
      inject: [HttpService],
      useFactory: (http: HttpService) => new DirectoryClient(http, directory),
    },
    RegistrationRequests,
    Registration,
    // Only of a directory that publishes its statements.
    ...(directory.statements === undefined ? [] : [StatementWatch]),
  ];
}
