/** A TPP in the labels of a metric. */
export interface TppLabel {
  readonly issuer: string;
  readonly tpp: string;
}

/** Requests without a known TPP, and those of TPPs beyond the bound. */
const otherTpps: TppLabel = { issuer: 'other', tpp: 'other' };

/** More than the British register of account information providers has. */
const mostTpps = 500;
/** A longer client id would cost memory in every series. */
const longestClientId = 128;

/**
 * The TPPs that have separate series. Only identified TPPs come here: the holder of a verified token, or a registered
 * client. Their number and the length of their ids are bounded all the same, because an issuer's software may have a fault.
 */
export class TppLabels {
  private readonly labels = new Map<string, TppLabel>();

  labelOf(issuer: string | undefined, tpp: string | undefined): TppLabel {
    if (issuer === undefined || tpp === undefined || tpp.length > longestClientId) return otherTpps;
    const key = `${issuer} ${tpp}`;
    const existing = this.labels.get(key);
    if (existing !== undefined) return existing;
    if (this.labels.size >= mostTpps) return otherTpps;
    const label = { issuer, tpp };
    this.labels.set(key, label);
    return label;
  }

  /** Each TPP that has a series, with the key of `TppId`. */
  all(): ReadonlyMap<string, TppLabel> {
    return this.labels;
  }
}
