/** An attacker who can replace a key set can sign tokens: plain HTTP is allowed on this machine only. */
export const keySetSource = /^(https:\/\/\S+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])([:/]\S*)?|(?!\w+:\/\/).+)$/i;

export const isPlainHttpElsewhere = (source: string): boolean => /^http:/i.test(source) && !keySetSource.test(source);
