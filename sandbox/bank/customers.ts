import type { Persona } from './personas/persona.js';

/** A customer of another core, of whom the sandbox bank knows the reference alone. */
export function customerOf(reference: string): Persona {
  return {
    name: reference,
    person: { key: reference, name: reference },
    shows: 'A customer of the bank’s own core.',
    accounts: [],
  };
}
