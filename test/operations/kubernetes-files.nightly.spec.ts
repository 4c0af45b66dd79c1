// Nightly: it needs kubectl.
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretSettings } from '../../src/config/setting-names.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { taggedBlocks } from '../support/documents.js';
import { overlays, rendered, type Resource } from '../support/kubernetes.js';

interface Container {
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly readinessProbe?: { readonly periodSeconds: number; readonly failureThreshold: number };
}

interface Workload extends Resource {
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

describe.each(overlays)('the Kubernetes overlay %s', (overlay) => {
  const resources = rendered(overlay);
  const gateways = workloads(resources).filter(({ kind }) => kind === 'StatefulSet');

  it('has no Secret: each is made in the cluster, and named here', () => {
    expect(resources.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    for (const gateway of gateways)
      expect(
        Object.keys(settingsOf(resources, gateway)).filter((name) => secretSettings.some((one) => one === name)),
      ).toEqual([]);
  });

  it('gives its pods no rights, no place to write but their volumes, and no token of the cluster', () => {
    for (const { spec } of workloads(resources)) {
      const { containers, ...pod } = spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(containers[0]).toMatchObject({
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        resources: { requests: expect.anything(), limits: { memory: expect.any(String) } },
      });
    }
  });

  it('gives a pod longer to stop than the gateway takes, which answers for longer than a probe needs to notice', () => {
    for (const gateway of gateways) {
      const { terminationGracePeriodSeconds: grace, containers } = gateway.spec.template.spec;
      const delay = Number(settingsOf(resources, gateway)['STOP_DELAY_SECONDS']);
      const probe = containers[0].readinessProbe;
      expect(delay).toBeGreaterThan((probe?.periodSeconds ?? Infinity) * (probe?.failureThreshold ?? Infinity));
      expect(grace).toBeGreaterThan(delay + 15 + 2);
    }
  });
});

describe('docs/operate/kubernetes.md', () => {
  const text = readFileSync(join(packageRoot(), 'docs/operate/kubernetes.md'), 'utf8');

  it('has a command that renders each overlay', () => {
    const commands = taggedBlocks('kubernetes').join('');
    const shown = execFileSync('bash', ['-ec', commands], { cwd: packageRoot(), encoding: 'utf8' });
    expect(shown.match(/^kind: StatefulSet$/gm)).toHaveLength(4);
    expect(overlays.filter((overlay) => !commands.includes(`/${overlay}\n`))).toEqual([]);
  });

  it('names each Secret and its keys', () => {
    for (const resources of overlays.map(rendered))
      for (const workload of workloads(resources)) {
        for (const volume of workload.spec.template.spec.volumes as { secret?: { secretName: string } }[])
          if (volume.secret) expect(text).toContain(`Secret \`${volume.secret.secretName}\``);
        for (const [name, path] of Object.entries(settingsOf(resources, workload)))
          if (name.endsWith('_FILE') && path.startsWith('/secrets/')) expect(text).toContain(`\`${path.slice(9)}\``);
      }
  });
});

/** The StatefulSets and Jobs. */
function workloads(resources: readonly Resource[]): Workload[] {
  return resources.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Job') as Workload[];
}

/** The settings that a StatefulSet's container gets. */
function settingsOf(resources: readonly Resource[], gateways: Workload): Record<string, string> {
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
