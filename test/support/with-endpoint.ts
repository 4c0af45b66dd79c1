import type { Profile, ProfileData, ProfileProduct } from '../../src/profiles/profile.js';
import type { Endpoint } from '../../src/resources/endpoints.js';

/** The profile's products, of which exactly the named ones have the endpoint. */
export function withEndpoint(
  profile: Profile,
  endpoint: Endpoint,
  having: readonly string[],
): Pick<ProfileData, 'products'> {
  const products = Object.entries(profile.products).map(([name, product]): [string, ProfileProduct] => {
    const others = product.endpoints.filter((one) => one !== endpoint);
    return [name, { ...product, endpoints: having.includes(name) ? [...others, endpoint] : others }];
  });
  return { products: Object.fromEntries(products) };
}
