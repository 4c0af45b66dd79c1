import { expect, it } from '@jest/globals';
import { resultOf, rightKit } from '../right-kit.js';
import type { WrongAdapter } from './wrong-adapter.js';

/** Declares a test for each mistake, which is made in the adapter of the kit. */
export function findsEach(wrong: readonly WrongAdapter[], kit = rightKit): void {
  for (const [clause, does, make, reason] of wrong)
    it(`the adapter kit finds by ${clause} an adapter that ${does}`, async () => {
      expect(await resultOf(make(kit), clause)).toMatchObject({ outcome: 'broken', ...(reason && { reason }) });
    });
}
