/**
 * Examples of the authorization server's endpoints, with the right form. A signed text can be used once and by one TPP, so
 * these are cut short: `sandbox -- tpp new` makes a TPP that signs its own.
 */
const signed = 'eyJhbGciOiJQUzI1NiIsImtpZCI6InNpZ25pbmcifQ.eyJpc3MiOiI4NTJhYTJjNCJ9.c2lnbmF0dXJl';

const itself = {
  client_id: '852aa2c4-77b0-4d2f-a6bd-2f1d9b8f2c3e',
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: signed,
};

export const pushExample = {
  asked: { request: signed, ...itself },
  answered: { request_uri: 'urn:ietf:params:oauth:request_uri:Nn2x0cSdfGHqvL4YnkfDLHvN2PPl3gZy', expires_in: 60 },
};

export const tokenExample = {
  asked: { grant_type: 'client_credentials', scope: 'accounts', ...itself },
  answered: { access_token: signed, expires_in: 600, token_type: 'Bearer', scope: 'accounts' },
};

export const registrationExample = { asked: signed };

export const echoExample = {
  Accepted: false,
  Certificate: {
    Subject: 'C=GB, O=My TPP, organizationIdentifier=PSDGB-FCA-900002, CN=My TPP',
    Issuer: 'CN=Qualified authority',
    SerialNumber: '4C61D9F3A0',
    Thumbprint: 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2',
    NotBeforeDateTime: '2025-11-01T00:00:00+00:00',
    NotAfterDateTime: '2026-11-01T00:00:00+00:00',
    OrganisationId: 'PSDGB-FCA-900002',
    Roles: ['PSP_AI'],
  },
  Clients: [{ ClientId: 'my-tpp', Name: 'My TPP', Standing: 'active' }],
  Faults: [
    {
      Refuses: 'Everything',
      Fault: 'The certificate expired at 2026-11-01T00:00:00+00:00.',
      Mend: 'Renew it, and connect with the new certificate.',
    },
  ],
};
