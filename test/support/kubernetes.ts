import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { packageRoot } from '../../src/persistence/package-root.js';

export const overlays = ['own-issuer', 'embedded', 'two-brands'] as const;

export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** The resources of an overlay of deploy/kubernetes, as kubectl renders them. */
export function rendered(overlay: string): Resource[] {
  const folder = join(packageRoot(), 'deploy/kubernetes/overlays', overlay);
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Resource);
}
