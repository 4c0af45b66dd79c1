/**
 * RFC 6797: for a year after each visit a browser comes to this host over HTTPS only, whatever a link or a typed address
 * says. It does not hold for hosts below it, which may belong to others. Over plain HTTP the header has no meaning.
 */
export const strictTransportHeader = 'strict-transport-security';
export const strictTransport = 'max-age=31536000';
