import type { ReasonText } from './reason-text.js';

/** The reasons of a request that is wrong in its form, with the right form. */
export const ofForm = {
  'host-repeated': {
    meaning: 'The request had more than one Host header.',
    remedy: 'The caller sends one Host header; a proxy in between may have added the second.',
  },
  'host-missing': {
    meaning: 'An HTTP/1.1 request had no Host header.',
    remedy: 'The caller sends the header Host, as HTTP/1.1 demands.',
  },
  'host-foreign': {
    meaning: 'The request named another host than the listener that it reached.',
    remedy: 'The TPP sends the request to the published address; check the proxies and BASE_URL.',
  },
  'path-unknown': {
    meaning: 'The path is not one that this bank serves.',
    remedy:
      'The caller compares the path with the OpenAPI document: base path, version, spelling and capitals. The bank’s product profile may omit the endpoint.',
  },
  'method-not-allowed': {
    meaning: 'The path does not have this method.',
    remedy:
      'The caller uses a method that the OpenAPI document has for the path. Data are read by GET; a consent is created by POST, read by GET and deleted by DELETE.',
  },
  'interaction-id-invalid': {
    meaning: 'The header x-fapi-interaction-id was not one UUID.',
    remedy: 'The TPP sends one UUID in x-fapi-interaction-id, or omits the header.',
  },
  'not-acceptable': {
    meaning: 'The Accept header excluded JSON in UTF-8.',
    remedy: 'The TPP sends Accept: application/json, or omits the header.',
  },
  'media-type': {
    meaning: 'The body was not declared in the media type of the endpoint.',
    remedy:
      'The caller sends the body with Content-Type: application/json, uncompressed and without Content-Encoding. A registration has Content-Type: application/jose.',
  },
  'body-too-large': {
    meaning: 'The body had more than 64 KiB.',
    remedy: 'The caller sends a smaller body: that of a consent needs less than 4 KiB.',
  },
  'body-invalid': {
    meaning: 'The body was not valid JSON, or did not have the declared form.',
    remedy:
      'The caller sends a JSON object in UTF-8, with the members that the OpenAPI document declares for the endpoint and no other.',
  },
  'field-missing': {
    meaning: 'A mandatory member of the body was missing.',
    remedy: 'The caller adds the member, which the OpenAPI document declares as mandatory.',
  },
  'field-invalid': {
    meaning: 'A member or parameter broke a rule.',
    remedy: 'The caller corrects the member or parameter by its rule in the OpenAPI document.',
  },
  'date-invalid': {
    meaning: 'A date was not a date-time, or broke a rule.',
    remedy: 'The caller corrects the date: ISO 8601, with a zone in a body, and in the right order.',
  },
  'token-missing': {
    meaning: 'The request came without a token.',
    remedy: 'The TPP sends Authorization: Bearer and its access token; check that no proxy removes the header.',
  },
  'token-repeated': {
    meaning: 'The request had more than one Authorization header.',
    remedy: 'The TPP sends one Authorization header; a proxy in between may have added the second.',
  },
  'proof-missing': {
    meaning: 'The token is bound to a key, and no proof came with it.',
    remedy: 'The TPP sends the token with the scheme DPoP, and one header DPoP with a proof for this request.',
  },
  'proof-invalid': {
    meaning: 'The proof of the key was not valid, too old, or used before.',
    remedy:
      'The TPP makes a proof for each request, with its method and URL, a new jti, the present time as iat and the hash of the token as ath; it sets its clock.',
  },
  'http-broken': {
    meaning: 'The bytes were not valid HTTP.',
    remedy:
      'The caller’s HTTP client sends valid HTTP/1.1: the target percent-encoded and without blanks, and headers without line breaks.',
  },
  'headers-too-large': {
    meaning: 'The request line and the headers had more than 32 KiB.',
    remedy: 'The caller sends fewer or shorter headers.',
  },
  'request-timeout': {
    meaning: 'The request did not arrive completely within 30 seconds.',
    remedy:
      'The caller sends the request again; where it happens often, check the network between the caller and the gateway.',
  },
} as const satisfies Readonly<Record<string, ReasonText>>;
