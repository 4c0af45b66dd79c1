import { closestMatch } from 'leven';
import { mostFaults, type ErrorDetail } from '../open-banking/errors.js';
import { bodyField, type Rule } from '../open-banking/rules.js';
import {
  accountPermissions,
  isPermission,
  permissionCodes,
  transactionDirections,
  transactionLevels,
  type Permission,
} from '../open-banking/permissions.js';

/** The permissions that a TPP asks for, with each fault at its place. */
interface RequestedPermissions {
  readonly permissions: readonly Permission[];
  readonly faults: readonly ErrorDetail[];
}

/**
 * Checks the permission codes of a request: each code, and the combinations that the standard makes mandatory. In a
 * combination, a misspelt code counts as the code that it resembles.
 * @param path of the list in the request, for the faults
 */
export function checkPermissions(
  codes: readonly unknown[],
  path: string,
  refused: readonly Permission[],
): RequestedPermissions {
  if (codes.length === 0)
    return { permissions: [], faults: [invalid('Name at least one permission code.', path, 'length')] };
  const meant = new Set<Permission>();
  const faults: ErrorDetail[] = [];
  for (const [index, code] of codes.entries()) {
    if (isPermission(code) && !refused.includes(code)) meant.add(code);
    // A code that is not text is a fault of the body's form.
    if (typeof code !== 'string' || meant.has(code as Permission) || faults.length >= mostFaults) continue;
    const near = isPermission(code) ? undefined : nearest(code, refused);
    if (near !== undefined) meant.add(near);
    faults.push(invalid(isPermission(code) ? refusal(code) : unknown(code, near), `${path}[${index}]`, 'permission'));
  }
  return {
    permissions: [...meant],
    faults: [...faults, ...missing(meant).map((message) => invalid(message, path, 'permission-group'))],
  };
}

function refusal(code: Permission): string {
  return `The bank does not support ${code}: omit it.`;
}

/** Repeats the code only where it is a plain word, which is harmless on every page. */
function unknown(code: string, near: Permission | undefined): string {
  const shown = /^[A-Za-z]{1,40}$/.test(code) ? code : 'This';
  return `${shown} is not a permission code of the standard${near === undefined ? '' : `: ${near} is the nearest one`}.`;
}

/**
 * The code that the TPP probably meant: it has the same beginning, or at most a quarter of its letters differ. Never a code
 * that the bank refuses.
 */
function nearest(code: string, refused: readonly Permission[]): Permission | undefined {
  if (code.length < 6 || code.length > 40) return undefined;
  const possible = permissionCodes.filter((each) => !refused.includes(each));
  const lower = code.toLowerCase();
  const completed = possible.find((each) => lower.length >= 'ReadOffer'.length && each.toLowerCase().startsWith(lower));
  if (completed !== undefined) return completed;
  const match = closestMatch(
    lower,
    possible.map((each) => each.toLowerCase()),
    { maxDistance: Math.floor(code.length / 4) },
  );
  return possible.find((each) => each.toLowerCase() === match);
}

function missing(held: ReadonlySet<Permission>): string[] {
  const [level, direction, account] = [transactionLevels, transactionDirections, accountPermissions].map((group) =>
    group.some((code) => held.has(code)),
  );
  const levels = transactionLevels.join(' or ');
  const directions = transactionDirections.join(' or ');
  return [
    ...(level && !direction ? [`${levels} needs ${directions} with it.`] : []),
    ...(direction && !level ? [`${directions} needs ${levels} with it.`] : []),
    ...(account ? [] : [`Ask for ${accountPermissions.join(' or ')} as well: every consent needs one of them.`]),
  ];
}

function invalid(message: string, path: string, rule: Rule): ErrorDetail {
  return { kind: 'field-invalid', message, path, field: bodyField(path), rule };
}
