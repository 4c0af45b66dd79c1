import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { html, type HtmlValue } from './html.js';

/** Reads escaped text as a browser does. */
function read(text: string): string {
  const characters: Record<string, string> = {
    lt: '<',
    gt: '>',
    amp: '&',
    quot: '"',
    '#39': "'",
    '#96': '`',
    '#13': '\r',
  };
  return text.replace(/&([a-z]+|#\d+);/g, (reference, name: string) => characters[name] ?? reference);
}

describe('html', () => {
  it('escapes what would end text or a quoted value', () => {
    expect(html`<p title="${`"'\``}">${'<b>&amp;</b>'}</p>`.toString()).toBe(
      '<p title="&quot;&#39;&#96;">&lt;b&gt;&amp;amp;&lt;/b&gt;</p>',
    );
  });

  it('keeps the markup of other templates, alone and in lists', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`${items}${html`<hr />`}`.toString()).toBe('<li>a</li><li>&lt;b&gt;</li><hr />');
  });

  it('shows nothing for false and undefined, and numbers as they are', () => {
    expect(html`${false}${undefined}${0}`.toString()).toBe('0');
  });

  it('takes no other object for markup', () => {
    const forged = { toString: () => '<script>' };
    expect(() => html`${forged as unknown as HtmlValue}`).toThrow(TypeError);
  });

  it('puts a sign in place of the control characters that HTML does not know', () => {
    expect(html`${'a\0b\x1bc\x85d\te\n'}`.toString()).toBe('a\uFFFDb\uFFFDc\uFFFDd\te\n');
  });

  it('lets no text break out, and loses none of it', () => {
    const letters = fc.constantFrom(...`<>&"'\`=/!-\r\n\t ;#xl;script`.split(''));
    const text = fc.oneof(fc.string({ unit: letters, maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }));
    fc.assert(
      fc.property(text, (given) => {
        const written = html`${given}`.toString();
        expect(written).not.toMatch(/[<>"'`\r]|&(?!(?:amp|lt|gt|quot|#39|#96|#13);)/);
        // eslint-disable-next-line no-control-regex -- it must find control characters
        expect(read(written)).toBe(given.replace(/[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/g, '\uFFFD'));
      }),
      { numRuns: 300 },
    );
  });
});
