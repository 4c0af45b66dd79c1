import type { Registry } from 'prom-client';
import { scrapeGauge } from './scraped-metrics.js';

/** A certificate, by the setting that names its file. */
export interface ShownCertificate {
  readonly setting: string;
  /** `undefined` where the file cannot be read now, or holds no certificate. */
  readonly expiresAtMs: number | undefined;
  /**
   * Whether the next start would refuse the files as they are now; reads them. Absent where `expiresAtMs` is that of the file
   * as it is now.
   */
  readonly isRefused?: () => boolean;
}

const dayMs = 86_400_000;

/** Shows the remaining days of each certificate. One that cannot be read has none: nothing says that it has ended. */
export function showCertificates(
  registry: Registry,
  shown: () => readonly ShownCertificate[],
  nowMs: () => number,
): void {
  scrapeGauge(
    registry,
    'gateway_certificate_expiry_days',
    'Days until a certificate of a listener, or one for other servers, expires; less than 0 when it has',
    ['certificate'],
    () =>
      shown().flatMap(({ setting, expiresAtMs }) =>
        expiresAtMs === undefined ? [] : [[{ certificate: setting }, (expiresAtMs - nowMs()) / dayMs] as const],
      ),
  );
  scrapeGauge(
    registry,
    'gateway_certificate_unreadable',
    '1 where the files of a certificate cannot be used: the next start would fail',
    ['certificate'],
    () =>
      shown().map(({ setting, expiresAtMs, isRefused = () => expiresAtMs === undefined }) => [
        { certificate: setting },
        isRefused() ? 1 : 0,
      ]),
  );
}
