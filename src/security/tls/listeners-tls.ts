import type { Clock } from '../../clock/clock.js';
import type { GatewayConfig } from '../../config/config.js';
import { ListenerTls, type ShownCertificate } from './listener-tls.js';

/** Nest injects {@link ListenersTls} by this token. */
export const LISTENERS_TLS = Symbol('LISTENERS_TLS');

/** The TLS of every listener that ends it itself; `undefined` where a listener has plain HTTP, as behind a proxy. */
export interface ListenersTls {
  readonly api: ListenerTls | undefined;
  readonly bank: ListenerTls | undefined;
  readonly browser: ListenerTls | undefined;
  readonly tpp: ListenerTls | undefined;
}

/** @throws BootError of one line for files that cannot be used */
export function listenersTls(
  { tls, bankTls, authorisationServer }: Pick<GatewayConfig, 'tls' | 'bankTls' | 'authorisationServer'>,
  clock: Clock,
): ListenersTls {
  const { browser, tpp } = authorisationServer ?? {};
  return {
    api: tls && new ListenerTls('TLS', tls, 'required', clock),
    bank:
      bankTls && new ListenerTls('BANK_TLS', bankTls, bankTls.clientCaFile === undefined ? 'none' : 'requested', clock),
    browser: browser?.tls && new ListenerTls('BROWSER_TLS', browser.tls, 'none', clock),
    tpp: tpp?.tls && new ListenerTls('MTLS', tpp.tls, 'requested', clock),
  };
}

/** The certificates that the listeners show now. Only here can other code read when they expire. */
export function shownCertificates(listeners: ListenersTls): readonly ShownCertificate[] {
  return Object.values(listeners).flatMap((listener: ListenerTls | undefined) => listener?.shown ?? []);
}

/** The same, each with a question that reads its files: would the next start refuse them? */
export function renewedCertificates(
  listeners: ListenersTls,
): readonly (ShownCertificate & { readonly isRefused: () => boolean })[] {
  return Object.values(listeners).flatMap((listener: ListenerTls | undefined) =>
    listener === undefined ? [] : { ...listener.shown, isRefused: () => listener.isRefusedNow },
  );
}

/** One line for each listener whose revocation lists have expired, because TLS accepts no TPP's certificate then. */
export function expiredRevocationLists(listeners: ListenersTls, nowMs: number): readonly string[] {
  return Object.values(listeners)
    .flatMap((listener: ListenerTls | undefined) => listener?.revocationLists ?? [])
    .filter(({ expiresAtMs }) => expiresAtMs <= nowMs)
    .map(
      ({ setting, expiresAtMs }) =>
        `the revocation lists of ${setting} expired at ${new Date(expiresAtMs).toISOString()}: put the present ones there and send SIGHUP`,
    );
}

/** One line for each certificate that has expired, because clients refuse it. */
export function expiredCertificates(shown: readonly ShownCertificate[], nowMs: number): readonly string[] {
  return shown
    .filter(({ expiresAtMs }) => expiresAtMs <= nowMs)
    .map(
      ({ setting, expiresAtMs }) => `the certificate of ${setting} expired at ${new Date(expiresAtMs).toISOString()}`,
    );
}
