import { mountPath, registrationPath } from '../../open-banking/authorisation-paths.js';
import { HttpService } from '@nestjs/axios';
import type { Provider } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import type { AuthorisationServerConfig } from '../../config/config.js';
import { PrismaService } from '../../persistence/prisma.service.js';
import { DirectoryClient } from '../../security/directory.client.js';
import { issuerKeys } from '../../security/issuer-keys.js';
import { PrismaProofStore } from '../../security/prisma-proof.store.js';
import { maxDocumentBytes, TppDocumentClient } from '../../security/tpp-document.client.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { isLoopback, METADATA_TERMS, type MetadataTerms } from './client-metadata.policy.js';
import { EmbeddedTppCheck } from './embedded-tpp.check.js';
import { GoodStanding } from './good-standing.js';
import { LogoFetch } from './logo-fetch.js';
import { RegistrationRequests } from './registration-request.js';
import { Registration } from './registration.js';
import { RegistrationRoutes } from './registration.routes.js';
import { TppKeySets } from './tpp-key-sets.js';
import { TppLogoStore } from './tpp-logo.store.js';
import { TppRegistry } from './tpp.registry.js';
import { TppStore } from './tpp.store.js';

const keySetTerms = { accept: 'application/json', mostBytes: maxDocumentBytes, deadlineMs: 2_500 };
/** The bank's directory, which need not be configured. */
type Directory = DirectoryClient | undefined;

export const tppsProviders: readonly Provider[] = [
  EmbeddedTppCheck,
  GoodStanding,
  LogoFetch,
  RegistrationRoutes,
  TppLogoStore,
  TppRegistry,
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
      isDirectorys: (url) => directory?.isDirectoryUrl(url) ?? false,
    }),
  },
  {
    provide: Registration,
    inject: [
      ...[HttpService, AuthorisationSettings, TppKeySets, TppRegistry, TppStore, LogoFetch],
      ...[METADATA_TERMS, PrismaService, Clock],
    ],
    useFactory: registration,
  },
];

/** `undefined` without a directory, by whose word alone a TPP can register itself. */
function registration(
  http: HttpService,
  { config, issuer }: AuthorisationSettings,
  keySets: TppKeySets,
  registry: TppRegistry,
  tpps: TppStore,
  logos: LogoFetch,
  { isDirectorys }: MetadataTerms,
  prisma: PrismaService,
  clock: Clock,
): Registration | undefined {
  const { directory } = config;
  if (directory === undefined) return undefined;
  const requests = new RegistrationRequests({
    issuer: directory.issuer,
    keys: issuerKeys(http, keysOf(directory), clock),
    isDirectorys,
    keySets,
    audience: [issuer, `${config.tpp.url}${mountPath}${registrationPath}`, ...[directory.bankId ?? []].flat()],
    used: new PrismaProofStore(prisma),
    clock,
  });
  return new Registration(requests, registry, tpps, logos, clock);
}

function keysOf({ jwks, caFile }: NonNullable<AuthorisationServerConfig['directory']>) {
  return { jwks, ...(caFile && { jwksCaFile: caFile }) };
}
