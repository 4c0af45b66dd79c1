import { escapedHtml } from '../../src/open-banking/html-text.js';

/** A piece of HTML whose outside values are already escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | undefined | readonly Piece[];

/** A template whose values are escaped unless they are {@link Html}; `undefined` is nothing, a list is its pieces. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

function textOf(value: Piece): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return escapedHtml(String(value));
}
