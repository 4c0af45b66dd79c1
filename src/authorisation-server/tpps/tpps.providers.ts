import { mountPath, registrationPath } from '../../open-banking/authorisation-paths.js';
import { HttpService } from '@nestjs/axios';
import type { Provider } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import type { AuthorisationServerConfig } from '../../config/config.js';
import { DirectoryClient } from '../../security/directory.client.js';
import { issuerKeys } from '../../security/tokens/issuer-keys.js';
import { ProofStore } from '../../security/tokens/proof.store.js';
import { maxDocumentBytes, TppDocumentClient } from '../../security/tpp-document.client.js';
import { Trail } from '../../trail/trail.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { PagesByLanguage } from '../pages/pages.js';
import { isLoopback, METADATA_TERMS, type MetadataTerms } from './client-metadata.policy.js';
import { EmbeddedTppCheck } from './embedded-tpp.check.js';
import { GoodStanding } from './good-standing.js';
import { RegistrationRequests } from './registration-request.js';
import { Registration } from './registration.js';
import { RegistrationRoutes } from './registration.routes.js';
import { StatementWatch } from './statement-watch.js';
import { TppKeySets } from './tpp-key-sets.js';
import { TppRegistry } from './tpp.registry.js';
import { TppStore } from './tpp.store.js';
import { TppsFile } from './tpps-file.js';

const keySetTerms = { accept: 'application/json', mostBytes: maxDocumentBytes, deadlineMs: 2_500 };
/** The bank's directory, which need not be configured. */
type Directory = DirectoryClient | undefined;

export const tppsProviders: readonly Provider[] = [
  EmbeddedTppCheck,
  GoodStanding,
  RegistrationRoutes,
  StatementWatch,
  TppRegistry,
  TppsFile,
  TppStore,
  {
    provide: DirectoryClient,
    inject: [HttpService, AuthorisationSettings],
    useFactory: (http: HttpService, { config }: AuthorisationSettings): Directory =>
      config.directory && new DirectoryClient(http, config.directory),
  },
  {
    provide: TppDocumentClient,
    inject: [HttpService, DirectoryClient],
    useFactory: (http: HttpService, directory: Directory) => new TppDocumentClient(http, directory),
  },
  {
    provide: TppKeySets,
    inject: [TppDocumentClient, Clock],
    useFactory: (documents: TppDocumentClient, clock: Clock) =>
      new TppKeySets((url) => documents.read(url, keySetTerms), clock),
  },
  {
    provide: METADATA_TERMS,
    inject: [AuthorisationSettings, DirectoryClient],
    useFactory: ({ config }: AuthorisationSettings, directory: Directory): MetadataTerms => ({
      sandbox: isLoopback(config.browser.url),
      isDirectoryUrl: (url) => directory?.isDirectoryUrl(url) ?? false,
    }),
  },
  {
    provide: RegistrationRequests,
    inject: [HttpService, AuthorisationSettings, TppKeySets, PagesByLanguage, ProofStore, Clock],
    useFactory: registrationRequests,
  },
  {
    provide: Registration,
    inject: [RegistrationRequests, TppRegistry, TppStore, Clock, Trail],
    useFactory: (
      requests: RegistrationRequests | undefined,
      registry: TppRegistry,
      tpps: TppStore,
      clock: Clock,
      trail: Trail,
    ) => requests && new Registration(requests, registry, tpps, clock, trail),
  },
];

/** `undefined` without a directory, by whose word alone a TPP can register itself. */
function registrationRequests(
  http: HttpService,
  { config, issuer }: AuthorisationSettings,
  keySets: TppKeySets,
  { bankName }: PagesByLanguage,
  used: ProofStore,
  clock: Clock,
): RegistrationRequests | undefined {
  const { directory } = config;
  if (directory === undefined) return undefined;
  return new RegistrationRequests({
    issuer: directory.issuer,
    keys: issuerKeys(http, keysOf(directory), clock),
    bankName,
    keySets,
    audience: [issuer, `${config.tpp.url}${mountPath}${registrationPath}`, ...[directory.bankId ?? []].flat()],
    used,
    clock,
  });
}

function keysOf({ jwks, caFile }: NonNullable<AuthorisationServerConfig['directory']>) {
  return { jwks, ...(caFile && { jwksCaFile: caFile }) };
}
