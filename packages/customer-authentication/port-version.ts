/**
 * The version of this port, as `major.minor.patch`: packages/core-adapter/CHANGELOG.md, by the rules of the version of
 * the core's port (packages/core-adapter/port-version.ts). The two ports have separate versions, because a change of
 * one breaks no adapter of the other.
 *
 * An adapter in a separate repository exports it from its module: it states the version with which it was built.
 */
export const portVersion = '1.0.0';
