import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyContextConfig } from 'fastify';
import '../../src/endpoint/mount-at.decorator.js';
import type { RouteDeclaration } from '../../src/endpoint/route-declaration.js';
import { endpointNames } from '../../src/resources/endpoints.js';
import { versions } from '../../src/versions/versions.js';

type Class = new (...parts: never[]) => object;

const src = join(import.meta.dirname, '../../src');
const resources = join(src, 'resources');

const classesOf = async (file: string): Promise<Class[]> =>
  Object.values((await import(file)) as Record<string, unknown>).filter((it) => typeof it === 'function') as Class[];

/**
 * The metadata that a decorator left on a class or a method; the keys are those of Nest and of its Fastify platform.
 */
const metadata = (key: string, on: object): unknown => Reflect.getMetadata(key, on);

/** Every handler that Nest makes a route of, with its declaration. */
function routesOf(controller: Class): { route: string; declaration: RouteDeclaration | undefined }[] {
  return handlersOf(controller.prototype as Record<string, object>).flatMap((handler) => {
    const config = metadata('__fastify_route_config__', handler) as FastifyContextConfig | undefined;
    return [metadata('path', handler)]
      .flat()
      .map((route) => ({
        route: String(route),
        declaration: config?.mounted?.get(String(route))?.declaration ?? config?.declaration,
      }));
  });
}

/** Nest looks for handlers in the classes that a controller extends, too. */
function handlersOf(prototype: Record<string, object>): object[] {
  if (prototype === Object.prototype) return [];
  const own = Object.getOwnPropertyNames(prototype).flatMap((name) =>
    name === 'constructor' ? [] : (prototype[name] ?? []),
  );
  return [
    ...own.filter((handler) => metadata('path', handler) !== undefined),
    ...handlersOf(Object.getPrototypeOf(prototype) as Record<string, object>),
  ];
}

const controllerFiles = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.spec)\.ts$/.test(file) && /^@Controller\(/m.test(readFileSync(join(src, file), 'utf8')))
  .sort();

describe('the routes of the controllers', () => {
  it('are found in files named for it', () => {
    expect(controllerFiles.length).toBe(endpointNames.length + 5);
    for (const file of controllerFiles) expect(file).toMatch(/\.controller\.ts$/);
  });

  it.each(controllerFiles)('are all declared in %s', async (file) => {
    const routes = (await classesOf(join(src, file))).flatMap(routesOf);
    expect(routes.length).toBeGreaterThan(0);
    expect(routes.filter(({ declaration }) => declaration === undefined)).toEqual([]);
  });
});

describe('the resources', () => {
  it('are the endpoints', () => {
    const folders = readdirSync(resources, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...endpointNames].sort());
  });

  it.each(endpointNames)('have one module for %s, and it serves nothing else', async (endpoint) => {
    const folder = join(resources, endpoint);
    const files = readdirSync(folder).filter((file) => file.endsWith('.module.ts'));
    expect(files).toEqual([`${endpoint}.module.ts`]);
    const modules = (await classesOf(join(folder, files[0] ?? ''))).map((module) => metadata('controllers', module));
    const declared = (modules as Class[][]).flat().flatMap(routesOf);
    expect(new Set(declared.map(({ declaration }) => declaration?.kind))).toEqual(new Set(['resource']));
    for (const { declaration } of declared)
      expect(declaration).toMatchObject({ form: { rule: { name: endpoint, permissions: expect.any(Array) } } });
    const forms = versions.flatMap(({ forms }) => forms.filter(({ rule }) => rule.name === endpoint));
    expect(declared.length).toBe(forms.length);
  });
});
