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
 * and close no attribute; it does not belong into a script, a style or an unquoted attribute, and no page has one.
 */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Markup(literals.reduce((text, literal, index) => text + render(values[index - 1]) + literal));
}

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(unsafe, (character) => references[character] ?? '\uFFFD');
}

/** Characters that end text or a quoted value, and controls that HTML does not allow (all but tab, line feed and form feed). */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const unsafe = /[&<>"'`\0-\x08\x0b\r\x0e-\x1f\x7f-\x9f]/g;

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\r': '&#13;',
};
