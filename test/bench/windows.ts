import { connections } from './load.js';

const dayMs = 86_400_000;
const lastDay = Math.floor(Date.now() / dayMs) - 10;

/** Five days. */
export interface Window {
  /** Days since 1970; both are part of it. */
  readonly first: number;
  readonly last: number;
}

/** One after the other into the past, so that no two connections ask for the same. */
export const windows: readonly Window[] = Array.from({ length: connections }, (_, index) => {
  const last = lastDay - 5 * index;
  return { first: last - 4, last };
});

/** `2026-06-15`, as the gateway is asked. */
export const day = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);

/** The beginning of the day as the ledger is asked. */
const stamp = (number: number): string => `${day(number).replaceAll('-', '')}T000000.000Z`;

/** The window as the ledger is asked, which takes its end as exclusive. */
export const ledgerSearch = ({ first, last }: Window): string =>
  `take=1000&toward=OLD&since=${stamp(first)}&until=${stamp(last + 1)}`;

/** The window as the gateway is asked. */
export const gatewaySearch = ({ first, last }: Window): string =>
  `fromBookingDateTime=${day(first)}&toBookingDateTime=${day(last)}`;
