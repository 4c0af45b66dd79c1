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

interface Container {
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly readinessProbe?: { readonly periodSeconds: number; readonly failureThreshold: number };
}

export interface Workload extends Resource {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly [Container];
        readonly volumes: readonly object[];
      };
    };
  };
}

/** The resources of an overlay of deploy/kubernetes, as kubectl renders them. */
export function rendered(overlay: string): Resource[] {
  const folder = join(packageRoot(), 'deploy/kubernetes/overlays', overlay);
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Resource);
}

/** The StatefulSets and Jobs. */
export function workloads(resources: readonly Resource[]): Workload[] {
  return resources.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Job') as Workload[];
}

/** The settings that a StatefulSet's container gets. */
export function settingsOf(resources: readonly Resource[], gateways: Workload): Record<string, string> {
  const [{ envFrom = [] }] = gateways.spec.template.spec.containers;
  const { namespace } = gateways.metadata;
  const maps = envFrom.map(({ configMapRef }) =>
    resources.find(
      ({ kind, metadata }) =>
        kind === 'ConfigMap' && metadata.name === configMapRef.name && metadata.namespace === namespace,
    ),
  ) as ({ data: Record<string, string> } | undefined)[];
  return Object.assign({}, ...maps.map((map) => map?.data)) as Record<string, string>;
}
