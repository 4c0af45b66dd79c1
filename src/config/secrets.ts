/** A command that makes a strong secret, as the end of a sentence. */
export const howToMakeSecret = 'make one with `openssl rand -hex 32`';
