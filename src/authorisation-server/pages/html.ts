import { escapedHtml } from '../../open-banking/html-text.js';

/** The values of a template: text is escaped, markup made by {@link html} is not, and an absent value shows nothing. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

/** Markup that is safe to send. Only {@link html} makes it, so that no string becomes markup by mistake. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}
export type Html = Markup;

/**
 * A template whose values are escaped, for element content and for **quoted** attribute values. A value can open no tag
 * and close no attribute; it does not belong into a script, a style or an unquoted attribute.
 */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Markup(literals.reduce((text, literal, index) => text + render(values[index - 1]) + literal));
}

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return escapedHtml(String(value));
}
