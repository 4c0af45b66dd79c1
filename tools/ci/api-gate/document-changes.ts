import { compareSchemas, dereferenced, objectOf, type BreakingChange, type Json } from './schema-changes.js';

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/**
 * The changes of an OpenAPI 3.1 document by which a client of the old one can fail, each once. What oasdiff calls a warning
 * (an optional field that is no longer sent, a new value of an enumeration) is breaking here: to announce it costs a line.
 */
export function breakingChanges(before: Json, after: Json): readonly BreakingChange[] {
  const found = new Map<string, BreakingChange>();
  const report = (rule: string, place: string): void => void found.set(`${rule} ${place}`, { rule, place });
  const paths = objectOf(after['paths']);
  for (const [path, item] of Object.entries(objectOf(before['paths'])))
    for (const method of methods) {
      const old = objectOf(item)[method];
      if (old === undefined) continue;
      const place = `${method.toUpperCase()} ${path}`;
      const now = objectOf(paths[path])[method];
      if (now === undefined) report('api-removed', place);
      else
        compareOperations(
          { document: before, item, operation: old },
          { document: after, item: paths[path], operation: now },
          place,
          report,
        );
    }
  return [...found.values()];
}

interface Operation {
  readonly document: Json;
  /** Its path, whose parameters hold for each of its operations. */
  readonly item: unknown;
  readonly operation: unknown;
}

type Report = (rule: string, place: string) => void;

function compareOperations(before: Operation, after: Operation, place: string, report: Report): void {
  compareParameters(parametersOf(before), parametersOf(after), before.document, after.document, place, report);
  compareBodies(before, after, place, report);
  compareAnswers(before, after, place, report);
  const alternatives = securityOf(before);
  const alternativesNow = securityOf(after);
  const isKept = (old: Json): boolean => alternativesNow.some((now) => demandsNoMore(old, now));
  if (!alternatives.every(isKept)) report('api-security-added', place);
}

function compareParameters(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  document: Json,
  documentNow: Json,
  place: string,
  report: Report,
): void {
  for (const [key, old] of before) {
    const now = after.get(key);
    const at = `${place} ${key}`;
    if (now === undefined) {
      report('request-parameter-removed', at);
      continue;
    }
    if (now['required'] === true && old['required'] !== true) report('request-parameter-became-required', at);
    const [schema, schemaNow] = [old['schema'] ?? {}, now['schema'] ?? {}];
    compareSchemas({ document, schema }, { document: documentNow, schema: schemaNow }, at, 'request', report);
  }
  for (const [key, now] of after)
    if (!before.has(key) && now['required'] === true) report('new-required-request-parameter', `${place} ${key}`);
}

function compareBodies(before: Operation, after: Operation, place: string, report: Report): void {
  const old = dereferenced(before.document, objectOf(before.operation)['requestBody']);
  const now = dereferenced(after.document, objectOf(after.operation)['requestBody']);
  const at = `${place} request`;
  if (now['required'] === true && old['required'] !== true) report('request-body-became-required', at);
  compareContent(before.document, old, after.document, now, at, 'request', report);
}

function compareAnswers(before: Operation, after: Operation, place: string, report: Report): void {
  const answersNow = objectOf(objectOf(after.operation)['responses']);
  for (const [status, answer] of Object.entries(objectOf(objectOf(before.operation)['responses']))) {
    const at = `${place} ${status}`;
    const isSuccess = /^(2..|default)$/i.test(status);
    if (answersNow[status] === undefined) {
      // A client that no longer receives an error has lost nothing.
      if (isSuccess) report('response-success-status-removed', at);
      continue;
    }
    const old = dereferenced(before.document, answer);
    const now = dereferenced(after.document, answersNow[status]);
    const headersNow = Object.keys(objectOf(now['headers'])).map((header) => header.toLowerCase());
    for (const header of Object.keys(objectOf(old['headers'])))
      if (!headersNow.includes(header.toLowerCase())) report('response-header-removed', `${at} ${header}`);
    compareContent(before.document, old, after.document, now, at, 'response', report);
  }
}

function compareContent(
  document: Json,
  old: Json,
  documentNow: Json,
  now: Json,
  at: string,
  direction: 'request' | 'response',
  report: Report,
): void {
  const contentNow = objectOf(now['content']);
  for (const [type, media] of Object.entries(objectOf(old['content']))) {
    if (contentNow[type] === undefined) {
      report(`${direction}-media-type-removed`, `${at} ${type}`);
      continue;
    }
    const [schema, schemaNow] = [objectOf(media)['schema'] ?? {}, objectOf(contentNow[type])['schema'] ?? {}];
    compareSchemas({ document, schema }, { document: documentNow, schema: schemaNow }, at, direction, report);
  }
}

/** By place and name: header names are compared without case. */
function parametersOf({ document, item, operation }: Operation): ReadonlyMap<string, Json> {
  const declared = [objectOf(item)['parameters'], objectOf(operation)['parameters']].flatMap((list) =>
    Array.isArray(list) ? list.map((parameter) => dereferenced(document, parameter)) : [],
  );
  return new Map(
    declared.map((parameter) => {
      const [kind, name] = [String(parameter['in']), String(parameter['name'])];
      return [`${kind} ${kind === 'header' ? name.toLowerCase() : name}`, parameter];
    }),
  );
}

/** The alternatives of which a client needs one; an operation without any is open. */
function securityOf({ document, operation }: Operation): readonly Json[] {
  const stated = objectOf(operation)['security'] ?? document['security'];
  return Array.isArray(stated) && stated.length > 0 ? stated.map(objectOf) : [{}];
}

function demandsNoMore(old: Json, now: Json): boolean {
  return Object.entries(now).every(([scheme, scopes]) => {
    const held = old[scheme];
    return Array.isArray(held) && Array.isArray(scopes) && scopes.every((scope) => held.includes(scope));
  });
}
