/** Characters that end text or a quoted value, and controls that HTML does not allow (all but tab, line feed and form feed). */
// eslint-disable-next-line no-control-regex -- the expression searches for control characters
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

/** Escapes any text for the content of an element and for **quoted** values of attributes. */
export function escapedHtml(text: string): string {
  return text.replace(unsafe, (character) => references[character] ?? '\uFFFD');
}
