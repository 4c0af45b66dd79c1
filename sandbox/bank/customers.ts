import type { SandboxCustomer } from '../sandbox.config.js';
import type { Persona } from './personas/persona.js';

/** A customer of other cores, of whom the sandbox bank knows the references alone. */
export function customerOf({ reference, elsewhere }: SandboxCustomer): Persona {
  return {
    name: reference,
    person: { key: reference, name: reference },
    ...(Object.keys(elsewhere).length > 0 && { refs: elsewhere }),
    shows: 'A customer of the core that the settings name.',
    accounts: [],
  };
}
