import { declareRule } from '../../endpoint/endpoint-rule.js';
import { offerFields } from './offer.mapper.js';

export const offers = declareRule({
  name: 'offers',
  read: 'offers',
  permissions: [['ReadOffers']],
  window: 'always',
  fields: offerFields,
  summary: 'Pricing offers of a credit card',
});
