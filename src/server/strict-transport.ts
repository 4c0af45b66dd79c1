/**
 * RFC 6797: for a year after each visit a browser comes to this host over HTTPS only, whatever a link or a typed address
 * says. Not to hosts below it, which may be somebody else's.
 */
export const strictTransportHeader = 'strict-transport-security';
export const strictTransport = 'max-age=31536000';

/** Whether who comes to this URL of ours comes over HTTPS, whoever ends it: over plain HTTP the header has no meaning. */
export const isHttps = (url: string): boolean => /^https:/i.test(url);
