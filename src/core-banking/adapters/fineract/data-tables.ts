import { isRow, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalText, requiredRow } from './fineract.fields.js';

/** The rows of `GET /datatables/{name}/{id}?genericResultSet=true`: columns once, then values in their order. */
export function toTableRows(body: unknown, needed: readonly string[]): Row[] {
  const { columnHeaders, data } = isRow(body) ? body : {};
  if (!Array.isArray(columnHeaders) || !Array.isArray(data)) throw new RowFault('columnHeaders', 'not a result set');
  const names = columnHeaders.map(
    (header: unknown) =>
      optionalText(requiredRow(header, 'columnHeaders').columnName, 'columnHeaders.columnName') ?? '',
  );
  const absent = needed.find((name) => !names.includes(name));
  if (absent !== undefined) throw new RowFault('columnHeaders', `without ${absent}`);
  return data.map((entry: unknown) => {
    const values = requiredRow(entry, 'data').row;
    if (!Array.isArray(values) || values.length !== names.length) throw new RowFault('data.row', 'not one per column');
    return Object.fromEntries(names.map((name, index) => [name, values[index] as unknown]));
  });
}
