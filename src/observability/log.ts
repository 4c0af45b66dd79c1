/** By this token Nest injects the log of the process, a `FastifyBaseLogger`. */
export const LOG = Symbol('LOG');
