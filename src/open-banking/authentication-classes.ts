/** The standard's name of strong customer authentication (Open Banking Security Profile), as a value of `acr`. */
export const strongAuthentication = 'urn:openbanking:psd2:sca';
