/** The tables of the measured trail of whose rows a figure is an aggregate. */
export type MeasuredTable = 'availability' | 'requests' | 'consent_changes' | 'journeys';

/** The definition of a figure. */
export interface Figure {
  readonly name: string;
  /** In one sentence, as reports state it. */
  readonly rule: string;
  readonly unit: 'requests' | 'ms' | 'percent' | 's' | 'bytes' | 'TPPs' | 'consents' | 'journeys';
  readonly measured: MeasuredTable;
  /** An aggregate over rows of the table. */
  readonly sql: string;
  /** The rows behind the figure, as a condition; all where it is absent. */
  readonly rows?: string;
}

/** A figure of a table that its list names. */
export type FigureOfTable = Omit<Figure, 'measured'>;

/** The number of the rows that meet a condition. */
export function counted(name: string, rule: string, unit: Figure['unit'], rows: string): FigureOfTable {
  return { name, rule, unit, sql: `count(*) FILTER (${rows})::DOUBLE`, rows };
}

/** The number of the requests that meet a condition: an event may be of several, which it counts. */
export function requestsWhere(condition: string): string {
  return `coalesce(sum(requests_in_event) FILTER (${condition}), 0)::DOUBLE`;
}
