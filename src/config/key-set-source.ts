/** A key set that anyone on the way could replace would let anyone sign tokens: plain HTTP on this machine only. */
export const keySetSource = /^(https:\/\/\S+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])([:/]\S*)?|(?!\w+:\/\/).+)$/i;

/** As {@link keySetSource} refuses it. */
export const isPlainHttpElsewhere = (source: string): boolean => /^http:/i.test(source) && !keySetSource.test(source);
