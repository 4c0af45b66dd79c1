/**
 * The links of a page of an answer other than Self, each as the query that leads there from Self: empty, or with its
 * question mark.
 */
export interface PageLinks {
  readonly First: string;
  readonly Prev?: string;
  readonly Next?: string;
}

/** A handler returns it in place of its items where they are one page of several. */
export class Page {
  constructor(
    readonly items: readonly unknown[],
    readonly links: PageLinks,
  ) {}
}
