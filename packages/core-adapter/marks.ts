/**
 * Marks the errors of a class, so that `instanceof` is true for those of another copy of the port too. An adapter from a
 * bank's separate repository brings its own copy, whose classes are not the gateway's: both copies know the errors by a
 * symbol of the whole process.
 *
 * @param name not the class's own, which a bundler may change
 * @param isKnown whether this copy knows all that the error says
 */
export function markErrors(
  of: abstract new (...given: never[]) => Error,
  name: string,
  isKnown: (error: object) => boolean = () => true,
): void {
  const mark = Symbol.for(`account-information-gateway.${name}`);
  // On the class, because a member of each error would be printed with it.
  Object.defineProperty(of.prototype, mark, { value: true });
  Object.defineProperty(of, Symbol.hasInstance, {
    value: (value: unknown) => typeof value === 'object' && value !== null && mark in value && isKnown(value),
  });
}
