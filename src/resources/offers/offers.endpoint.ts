import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { toOffer } from './offer.mapper.js';
import { OfferSchema } from './offer.schema.js';

export const offers = declareEndpoint({
  name: 'offers',
  path: '/accounts/:AccountId/offers',
  read: 'offers',
  permissions: [['ReadOffers']],
  window: 'always',
  collection: 'Offer',
  schema: OfferSchema,
  summary: 'Pricing offers of a credit card',
  map: toOffer,
});
