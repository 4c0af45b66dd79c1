import { SaxesParser, type SaxesTagNS } from 'saxes';
import { FileBroken } from './csv-file.js';

/** An element of a statement, whole. Names are local ones: every element is in the document's namespace. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly children: XmlElement[];
}

/** Larger than any element that a bank sends; a hostile file must not fill the memory. */
const [mostText, mostDepth, mostElements] = [100_000, 40, 20_000] as const;

export interface XmlEvents {
  /** The root of the document. @returns the fault, if it is another document than expected */
  readonly root: (namespace: string, name: string) => string | undefined;
  /** The names of the elements above those that are built whole. */
  readonly above: readonly string[];
  /** An element inside the last of `above` has ended. */
  readonly element: (element: XmlElement, line: number) => void;
  /** The last of `above` has ended. */
  readonly end: (line: number) => void;
}

/** Reads a document as its text arrives. Document types, and so entities, are refused. @throws FileBroken */
export class XmlElements {
  private readonly parser = new SaxesParser<{ xmlns: true }>({ xmlns: true });
  /** Names of the open elements down to the last of `above`. */
  private readonly path: string[] = [];
  /** The open elements inside it. */
  private readonly open: XmlElement[] = [];
  /** The depth of open elements that stand elsewhere. */
  private skipped = 0;
  private built = 0;
  private namespace = '';

  constructor(private readonly events: XmlEvents) {
    const { parser } = this;
    parser.on('opentag', (tag) => this.begin(tag));
    parser.on('closetag', () => this.close());
    parser.on('text', (text) => this.add(text));
    parser.on('cdata', (text) => this.add(text));
    parser.on('doctype', () => this.fail('has a document type, which no statement has'));
    // The parser's own message quotes the document.
    parser.on('error', () => this.fail('no well-formed XML'));
  }

  write(text: string): void {
    this.parser.write(text);
  }

  end(): void {
    this.parser.close();
  }

  private begin({ local, uri, attributes }: SaxesTagNS): void {
    const { above, root } = this.events;
    if (this.path.length === 0) {
      const fault = root(uri, local);
      if (fault !== undefined) this.fail(fault);
      this.namespace = uri;
      this.path.push(local);
      return;
    }
    if (this.skipped > 0) this.skip();
    else if (this.open.length > 0 || this.path.length === above.length) this.build(local, uri, attributes);
    else if (above[this.path.length] === local && uri === this.namespace) this.path.push(local);
    else this.skip();
  }

  private skip(): void {
    if (++this.skipped > mostDepth) this.fail('has elements too deep inside each other');
  }

  private build(name: string, uri: string, given: SaxesTagNS['attributes']): void {
    // Supplementary data have a namespace of the bank's choice.
    if (uri !== this.namespace) {
      this.skip();
      return;
    }
    if (this.open.length >= mostDepth) this.fail('has elements too deep inside each other');
    if (++this.built > mostElements) this.fail('has an entry of too many elements');
    const attributes = Object.fromEntries(Object.values(given).map(({ local, value }) => [local, value]));
    const element: XmlElement = { name, attributes, text: '', children: [] };
    this.open.at(-1)?.children.push(element);
    this.open.push(element);
  }

  private close(): void {
    if (this.skipped > 0) {
      this.skipped--;
      return;
    }
    const element = this.open.pop();
    if (element === undefined) {
      if (this.path.length === this.events.above.length) this.events.end(this.parser.line);
      this.path.pop();
    } else if (this.open.length === 0) {
      this.built = 0;
      this.events.element(element, this.parser.line);
    }
  }

  private add(text: string): void {
    const element = this.open.at(-1);
    if (element === undefined || this.skipped > 0) return;
    element.text += text;
    if (element.text.length > mostText) this.fail('has a text that is too long');
  }

  private fail(fault: string): never {
    throw new FileBroken(this.parser.line, fault);
  }
}

export function child({ children }: XmlElement, ...path: readonly string[]): XmlElement | undefined {
  let found: readonly XmlElement[] = children;
  let element: XmlElement | undefined;
  for (const name of path) {
    element = found.find((one) => one.name === name);
    if (element === undefined) return undefined;
    found = element.children;
  }
  return element;
}

export function childText(element: XmlElement, ...path: readonly string[]): string | undefined {
  return child(element, ...path)?.text.trim() || undefined;
}
