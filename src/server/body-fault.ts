import { OpenBankingError } from '../open-banking/errors.js';

interface SchemaFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params?: object;
}

/** A body that does not fit its schema: the first fault, with the JSON path of the member. */
export function bodyFault(body: unknown, faults: readonly SchemaFault[] | Iterable<SchemaFault>): OpenBankingError {
  const fault = [...faults][0];
  const at = jsonPath(fault?.instancePath ?? '');
  if (fault === undefined || (at === '' && (typeof body !== 'object' || body === null || Array.isArray(body))))
    return new OpenBankingError('format-invalid', { message: 'A JSON object is required as the body.' });
  const params = (fault.params ?? {}) as { requiredProperties?: string[]; additionalProperties?: string[] };
  if (fault.keyword === 'required') {
    const path = join(at, params.requiredProperties?.[0]);
    // The standard names a code for the absence of this member alone.
    return new OpenBankingError(path === 'Data.Permissions' ? 'field-missing' : 'format-invalid', {
      message: `${path} is required.`,
      path,
    });
  }
  if (fault.keyword === 'additionalProperties' || fault.keyword === 'boolean') {
    const path = join(at, params.additionalProperties?.[0]);
    return new OpenBankingError('format-invalid', { message: `${path} is not a member of this request.`, path });
  }
  return new OpenBankingError('format-invalid', {
    message: `${at} has the wrong type or length.`,
    path: at,
  });
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
