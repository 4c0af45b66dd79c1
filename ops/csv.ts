export type Cell = string | number | boolean | null;

/** Lines of CSV (RFC 4180). @param absent the text of a value that is not known */
export function csv(header: readonly string[], rows: readonly (readonly Cell[])[], absent = ''): string {
  return [header, ...rows].map((row) => csvLine(row, absent)).join('');
}

export function csvLine(row: readonly Cell[], absent = ''): string {
  return `${row.map((cell) => csvCell(cell, absent)).join(',')}\r\n`;
}

function csvCell(cell: Cell, absent: string): string {
  const text = cell === null ? absent : isFormula(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet would carry out the text, for example the client id of a TPP. */
function isFormula(cell: Cell): boolean {
  return typeof cell === 'string' && /^[=+\-@\t]/.test(cell) && Number.isNaN(Number(cell));
}
