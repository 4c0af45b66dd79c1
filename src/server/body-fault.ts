import type { ErrorKind } from '../open-banking/error-table.js';
import { mostFaults, OpenBankingError, type ErrorDetail } from '../open-banking/errors.js';
import { bodyField, type Rule } from '../open-banking/rules.js';

interface SchemaFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params?: object;
}

/** A body that does not fit its schema: its faults, each with the JSON path of the member. */
export function bodyFault(body: unknown, faults: Iterable<SchemaFault>): OpenBankingError {
  const details = new Map<string, MemberFault>();
  for (const fault of faults) {
    if (details.size >= mostFaults) break;
    // The library reports an unknown member twice.
    for (const detail of memberFaults(fault)) if (!details.has(detail.path)) details.set(detail.path, detail);
  }
  const [first] = details.values();
  if (first === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    return new OpenBankingError(
      'format-invalid',
      { kind: 'format-invalid', message: 'A JSON object is required as the body.', field: 'body', rule: 'json-object' },
      { reason: 'body-invalid' },
    );
  return new OpenBankingError(first.kind, [...details.values()], {
    reason: first.kind === 'field-missing' ? 'field-missing' : 'body-invalid',
  });
}

type MemberFault = ErrorDetail & { readonly path: string; readonly kind: ErrorKind };

function memberFaults({ keyword, instancePath, params = {} }: SchemaFault): MemberFault[] {
  const at = jsonPath(instancePath);
  const { requiredProperties, additionalProperties } = params as {
    requiredProperties?: readonly string[];
    additionalProperties?: readonly string[];
  };
  switch (keyword) {
    case 'required':
      return (requiredProperties ?? []).map((name) => missing(join(at, name)));
    case 'additionalProperties':
      return (additionalProperties ?? []).map((name) => unknown(join(at, name), at));
    case 'boolean':
      return [unknown(at, jsonPath(instancePath.slice(0, instancePath.lastIndexOf('/'))))];
    default:
      return [
        {
          kind: 'format-invalid',
          message: `${at} ${wanted(keyword, params)}.`,
          path: at,
          field: bodyField(at),
          rule: rulesOfKeywords[keyword] ?? 'value',
        },
      ];
  }
}

const rulesOfKeywords: Readonly<Record<string, Rule>> = {
  type: 'json-type',
  minLength: 'length',
  maxLength: 'length',
  minItems: 'length',
  maxItems: 'length',
};

/** A longer list of values is in the API's document alone. */
const mostValues = 12;
const notAllowed = 'has a value that this request does not allow';

/** Each begins after the name of the member. Only the schema's own words leave here. */
function wanted(
  keyword: string,
  params: { type?: unknown; limit?: number; allowedValues?: readonly unknown[] },
): string {
  switch (keyword) {
    case 'type':
      return `must be a JSON ${[params.type].flat().join(' or ')}`;
    case 'minLength':
      return `must have at least ${counted(params.limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(params.limit, 'character')}`;
    case 'maxItems':
      return `must have at most ${counted(params.limit, 'item')}`;
    case 'enum':
      if (params.allowedValues !== undefined && params.allowedValues.length <= mostValues)
        return `must be one of ${params.allowedValues.map(String).join(', ')}`;
      return notAllowed;
    default:
      return notAllowed;
  }
}

function counted(count: number | undefined, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function missing(path: string): MemberFault {
  return { kind: 'format-invalid', message: `${path} is required.`, path, field: bodyField(path), rule: 'required' };
}

/** @param parent the declared member that has it: the name of an unknown one may be anything, and is for the TPP alone */
function unknown(path: string, parent: string): MemberFault {
  const message = `${path} is not a member of this request.`;
  return { kind: 'format-invalid', message, path, field: bodyField(parent), rule: 'declared-members' };
}

/** `/Data/Permissions/2` -> `Data.Permissions[2]`. */
function jsonPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '');
}

function join(path: string, member: string | undefined): string {
  if (member === undefined) return path;
  // The standard wants a Path of at least one character.
  if (member === '') return `${path}['']`;
  return path === '' ? member : `${path}.${member}`;
}
