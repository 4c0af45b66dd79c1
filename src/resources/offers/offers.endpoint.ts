import { declareForm } from '../../endpoint/endpoint-form.js';
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { toOffer } from './offer.mapper.js';
import { OfferSchema } from './offer.schema.js';

export const offers = declareRule({
  name: 'offers',
  read: 'offers',
  permissions: [['ReadOffers']],
  window: 'always',
  summary: 'Pricing offers of a credit card',
});

export const offersForm = declareForm(offers, {
  path: '/accounts/:AccountId/offers',
  collection: 'Offer',
  schema: OfferSchema,
  map: toOffer,
});
