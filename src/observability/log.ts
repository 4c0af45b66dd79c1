/** Nest injects the log of the process, a `FastifyBaseLogger`, by this token. */
export const LOG = Symbol('LOG');
