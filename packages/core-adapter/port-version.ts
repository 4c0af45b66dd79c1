/**
 * The version of this port, as `major.minor.patch`: packages/core-adapter/CHANGELOG.md. A change that breaks an adapter
 * raises the major number, another change of the port the minor, and a change of the kit alone the patch.
 *
 * An adapter in a separate repository exports it from its module. It brings its own copy of the port, so that it states
 * the version with which it was built.
 */
export const portVersion = '1.3.0';
