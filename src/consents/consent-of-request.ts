import type { FastifyRequest } from 'fastify';
import type { ApiVersion } from '../endpoint/api-version.js';
import type { ConsentKind } from '../open-banking/consent-state.js';
import { refuseLaterVersion } from './consent.checks.js';
import type { Consent } from './consent.js';
import type { ConsentService } from './consent.service.js';

/** The version of the API in which a TPP asks about its consents. */
export function versionOf(request: FastifyRequest): ApiVersion {
  const { declaration } = request;
  if (declaration?.kind !== 'consents') throw new Error('the route is not declared as one of consents');
  return declaration.version;
}

/** The consent of the kind that the TPP names. @throws OpenBankingError where it may not access it in this version */
export async function consentOf(
  request: FastifyRequest,
  consents: ConsentService,
  consentId: string,
  kind: ConsentKind,
): Promise<Consent> {
  const consent = await consents.get(consentId, request.context.verifiedToken().tpp, kind);
  refuseLaterVersion(consent.createdIn, versionOf(request).name, request.context);
  return consent;
}
