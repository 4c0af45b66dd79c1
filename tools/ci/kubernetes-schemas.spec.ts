import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import ts from 'typescript';
import { overlays, rendered, type Resource } from '../../test/support/kubernetes.js';

/** The type of each kind in the package kubernetes-types, which is made from the official OpenAPI document. */
const types: Readonly<Record<string, string>> = {
  Namespace: 'core/v1',
  ConfigMap: 'core/v1',
  Service: 'core/v1',
  PersistentVolumeClaim: 'core/v1',
  StatefulSet: 'apps/v1',
  Job: 'batch/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  NetworkPolicy: 'networking.k8s.io/v1',
};

/** The faults that the compiler finds where a resource is given as a literal of its type: it admits no unknown member. */
function faultsOf(resources: readonly Resource[]): string[] {
  const source = resources
    .map((resource, index) => {
      const folder = types[resource.kind]?.replace('.k8s.io', '');
      return `const r${index}: import('kubernetes-types/${folder}.js').${resource.kind} = ${JSON.stringify(resource, null, 1)};`;
    })
    .join('\n');
  const file = join(import.meta.dirname, 'rendered.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || fileExists(name);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('the resources for Kubernetes', () => {
  it.each(overlays)('of the overlay %s fit the official schemas', (overlay) => {
    // A ServiceMonitor is a custom resource: the official document does not have it.
    const resources = rendered(overlay).filter(({ kind }) => kind !== 'ServiceMonitor');
    const apis = new Set(resources.map(({ kind, apiVersion }) => `${kind} ${apiVersion}`));
    const known = Object.entries(types).map(([kind, api]) => `${kind} ${api.replace('core/', '')}`);
    expect(known).toEqual(expect.arrayContaining([...apis]));
    expect(faultsOf(resources)).toEqual([]);
  });

  it('would be refused with a member that the schema does not have, or of another type', () => {
    const [policy] = rendered('own-issuer').filter(({ kind }) => kind === 'PodDisruptionBudget');
    const spec = { minAvailible: 1 };
    expect(faultsOf([{ ...policy, spec } as unknown as Resource]).join('\n')).toMatch(/minAvailible/);
    const typed = { selector: { matchLabels: { app: 1 } } };
    expect(faultsOf([{ ...policy, spec: typed } as unknown as Resource]).join('\n')).toMatch(/number/);
  });
});
