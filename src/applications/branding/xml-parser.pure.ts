/**
 * A strict reader of small XML documents, for logos: elements, attributes, text, comments and CDATA. No document type with
 * declarations, no entities of its own, no processing instructions, so that a browser cannot read anything else in it.
 */

export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: (XmlElement | string)[];
}

/** Why a logo is refused, as the rest of a sentence after "because". */
export class LogoProblem extends Error {}

const MAX_DEPTH = 50;
const MAX_ELEMENTS = 5_000;

const DECLARATION =
  /<\?xml\s+version\s*=\s*(["'])1\.[01]\1(?:\s+encoding\s*=\s*(["'])([\w-]+)\2)?(?:\s+standalone\s*=\s*(?:"\w+"|'\w+'))?\s*\?>/y;
const COMMENT = /<!--((?!--)[^])*-->/y;
const DOCTYPE = /<!DOCTYPE\s+svg(?:\s+PUBLIC\s+"[^"<>[\]]*"\s+"[^"<>[\]]*"|\s+SYSTEM\s+"[^"<>[\]]*")?\s*>/y;
const CDATA = /<!\[CDATA\[([^]*?)\]\]>/y;
const TEXT = /[^<]+/y;
const OPEN = /<([A-Za-z_][\w.:-]*)/y;
const ATTRIBUTE = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const OPEN_END = /\s*(\/?)>/y;
const CLOSE = /<\/([A-Za-z_][\w.:-]*)\s*>/y;
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));?/g;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** What XML does not allow in a document, and U+FFFE and U+FFFF. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\uFFFE\uFFFF]/;

class Reader {
  private at = 0;
  private count = 0;

  constructor(private readonly text: string) {}

  read(): XmlElement {
    this.readDeclaration();
    this.skipMisc(true);
    const root = this.openElement();
    if (!root) throw this.malformed();
    if (!root.isEmpty) this.readContent(root.element);
    this.skipMisc(false);
    if (this.at < this.text.length)
      throw new LogoProblem(`there is something after its end, in line ${this.line}`);
    return root.element;
  }

  private get line(): number {
    return this.text.slice(0, this.at).split('\n').length;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  private readDeclaration(): void {
    const [, , , encoding] = this.take(DECLARATION) ?? [];
    if (encoding !== undefined && !/^(utf-8|us-ascii)$/i.test(encoding))
      throw new LogoProblem('it is not in UTF-8');
  }

  private skipMisc(isBeforeRoot: boolean): void {
    while (this.take(/\s+/y) || this.take(COMMENT) || (isBeforeRoot && this.take(DOCTYPE)));
  }

  private readContent(root: XmlElement): void {
    const open = [root];
    for (let parent = open.at(-1); parent; parent = open.at(-1)) {
      const child = this.openElement();
      if (child) {
        parent.children.push(child.element);
        if (!child.isEmpty) open.push(child.element);
        if (open.length > MAX_DEPTH) throw new LogoProblem(`its elements are more than ${MAX_DEPTH} deep`);
      } else if (this.closeElement(parent)) open.pop();
      else this.readText(parent);
    }
  }

  private openElement(): { element: XmlElement; isEmpty: boolean } | null {
    const [, name] = this.take(OPEN) ?? [];
    if (name === undefined) return null;
    if (++this.count > MAX_ELEMENTS) throw new LogoProblem(`it has more than ${MAX_ELEMENTS} elements`);
    const attributes = new Map<string, string>();
    for (let match = this.take(ATTRIBUTE); match; match = this.take(ATTRIBUTE)) {
      const [, attribute = '', double, single] = match;
      if (attributes.has(attribute)) throw new LogoProblem(`it has an attribute twice, in line ${this.line}`);
      attributes.set(attribute, this.resolve(double ?? single ?? ''));
    }
    const end = this.take(OPEN_END);
    if (!end) throw this.malformed();
    return { element: { name, attributes, children: [] }, isEmpty: end[1] === '/' };
  }

  private closeElement({ name }: XmlElement): boolean {
    const [, closed] = this.take(CLOSE) ?? [];
    if (closed !== undefined && closed !== name) throw this.malformed();
    return closed !== undefined;
  }

  private readText(parent: XmlElement): void {
    if (this.take(COMMENT)) return;
    const [, characters] = this.take(CDATA) ?? [];
    const [text] = characters === undefined ? (this.take(TEXT) ?? []) : [];
    const value = characters ?? (text === undefined ? undefined : this.resolve(text));
    if (value === undefined) throw this.malformed();
    parent.children.push(value);
  }

  private resolve(text: string): string {
    if (/&(?![#\w])/.test(text)) throw this.malformed();
    return text.replace(REFERENCE, (reference, decimal?: string, hex?: string, name?: string) => {
      if (!reference.endsWith(';')) throw this.malformed();
      const entity = name === undefined ? undefined : Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : null;
      if (entity === null) throw new LogoProblem(`it uses an entity of its own, in line ${this.line}`);
      const code = Number.parseInt(decimal ?? hex ?? '0', decimal === undefined ? 16 : 10);
      const value = entity ?? (code > 0x10ffff ? '\0' : String.fromCodePoint(code));
      if (FORBIDDEN.test(value) || /\p{Surrogate}/u.test(value)) throw this.malformed();
      return value;
    });
  }

  private malformed(): LogoProblem {
    const rest = this.text.slice(this.at);
    const { line } = this;
    if (/^<!DOCTYPE/i.test(rest))
      return new LogoProblem(`it has a document type with declarations, in line ${line}`);
    if (rest.startsWith('<?')) return new LogoProblem(`it has a processing instruction, in line ${line}`);
    return new LogoProblem(`it is not well-formed XML, in line ${line}`);
  }
}

/** @throws LogoProblem */
export function parseXml(text: string): XmlElement {
  if (FORBIDDEN.test(text)) throw new LogoProblem('it contains control characters');
  return new Reader(text).read();
}
