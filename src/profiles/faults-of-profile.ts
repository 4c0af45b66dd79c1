import { plainToInstance } from 'class-transformer';
import { propertyFaults } from '../config/property-faults.js';
import { ProductDto, ProfileDto } from './profile.dto.js';
import { profileOf, type ProfileData } from './profile.js';

/** Operators write it into settings, and customers read it on pages. */
const productName = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u;

/** The faults of a profile's data, one line each with the path of the member; empty when it is valid. */
export function profileFaults(data: object): string[] {
  const { products } = data as Partial<ProfileData>;
  const faults = [
    ...propertyFaults(plainToInstance(ProfileDto, data)),
    ...Object.entries<unknown>(products ?? {}).flatMap(([name, given]) => productFaults(name, given)),
  ];
  return faults.length > 0 ? faults : missingEndpoints(data as ProfileData);
}

function productFaults(name: string, given: unknown): string[] {
  const path = `products.${name}`;
  if (!productName.test(name))
    return [
      `${path} must be named by 1 to 64 letters, digits, blanks, dashes and underscores, a letter or digit first`,
    ];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [`${path} must be an object`];
  return propertyFaults(plainToInstance(ProductDto, given)).map((fault) => `${path}.${fault}`);
}

/** The standard demands these of every bank. */
function missingEndpoints(profile: ProfileData): string[] {
  const { endpoints } = profileOf(profile);
  return (['accounts', 'balances', 'transactions'] as const)
    .filter((mandatory) => endpoints[mandatory] === undefined)
    .map((mandatory) => `products: none has the mandatory endpoint "${mandatory}"`);
}
