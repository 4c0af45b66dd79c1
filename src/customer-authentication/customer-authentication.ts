/** By this token Nest injects the adapter; `undefined` where no embedded authorization server needs one. */
export const CUSTOMER_AUTHENTICATION = Symbol('CUSTOMER_AUTHENTICATION');
