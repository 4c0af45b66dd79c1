import { Injectable } from '@nestjs/common';
import { unavailable } from '../open-banking/common-errors.js';
import { declarationOf } from '../endpoint/route-declaration.js';
import { isSameTpp, type TppId } from '../open-banking/tpp-id.js';
import type { RequestCheck, RoutedRequest } from '../request/checks.js';
import { isOfLaterVersion } from './access.policy.js';
import { ofLaterVersion } from './consent-errors.js';
import { LiveConsents } from './live-consents.js';

/** A consent is accessed in the version that created it and in later ones: they can say all that it has. */
@Injectable()
export class ConsentVersionCheck implements RequestCheck<RoutedRequest> {
  readonly name = 'consent version';

  constructor(private readonly consents: LiveConsents) {}

  async check({ routeOptions, params, context }: RoutedRequest): Promise<void> {
    const declaration = declarationOf({ routeOptions });
    if (declaration?.kind !== 'resource' && declaration?.kind !== 'consents') return;
    const createdIn =
      declaration.kind === 'resource'
        ? context.granted().createdIn
        : await this.creationOf(params.ConsentId, context.verifiedToken().tpp);
    if (createdIn !== undefined && isOfLaterVersion(createdIn, declaration.version.name))
      throw ofLaterVersion(createdIn);
  }

  /** `undefined` where the TPP has no such consent: the route answers it. */
  private async creationOf(consentId: string | undefined, tpp: TppId): Promise<string | undefined> {
    if (consentId === undefined) return undefined;
    // A kept row serves: the version of a consent never changes.
    const live = await this.consents
      .find(consentId, () => true)
      .catch((error: unknown) => {
        throw unavailable(error);
      });
    return live !== undefined && isSameTpp(live.consent.tpp, tpp) ? live.consent.createdIn : undefined;
  }
}
