import type { Cell } from './queries.js';

/** Lines of CSV (RFC 4180). @param absent the text of a value that is not known */
export function csv(header: readonly string[], rows: readonly (readonly Cell[])[], absent = ''): string {
  return [header, ...rows].map((row) => `${row.map((cell) => csvCell(cell, absent)).join(',')}\r\n`).join('');
}

function csvCell(cell: Cell, absent: string): string {
  const text = cell === null ? absent : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
