import { cleanDeclarations, cleanStyleSheet } from './svg-style.pure.js';
import {
  ATTRIBUTES,
  CLASS,
  DROPPED_ATTRIBUTES,
  DROPPED_ELEMENTS,
  EDITORS,
  ELEMENTS,
  ID,
  isPlainValue,
  LINKING,
  LOCAL,
  PROPERTIES,
  REFERENCE,
  REFERRING,
  SVG_NAMESPACE,
  WITH_TEXT,
  XHTML_NAMESPACE,
  XLINK_NAMESPACE,
} from './svg-vocabulary.pure.js';
import { LogoProblem, parseXml, type XmlElement } from './xml-parser.pure.js';

/** Elements that are drawn, each as often as others refer to it: a small file must not cost a browser much. */
const MAX_DRAWN = 20_000;
const MAX_REFERENCES_DEEP = 50;

/** An element of which everything is allowed. */
interface CleanElement {
  name: string;
  id: string | null;
  attributes: [name: string, value: string][];
  children: (CleanElement | string)[];
  /** Ids that it refers to. */
  references: string[];
}

/**
 * An SVG picture that can neither run nor load anything, written anew from what was read, so that a browser reads the
 * same (specification/applications.md#branding).
 * @throws LogoProblem
 */
export function cleanSvg(text: string): string {
  const root = parseXml(text);
  if (root.name !== 'svg' || root.attributes.get('xmlns') !== SVG_NAMESPACE)
    throw new LogoProblem(`its first element is not <svg xmlns="${SVG_NAMESPACE}">`);
  const clean = cleanElement(root);
  refuseExpensive(clean);
  clean.attributes = [['xmlns', SVG_NAMESPACE], ...withViewBox(clean.attributes)];
  return serialize(clean);
}

const prefixOf = (name: string) => (name.includes(':') ? name.slice(0, name.indexOf(':')) : null);
const shown = (name: string) => name.slice(0, 40);

function isDropped({ name, attributes }: XmlElement): boolean {
  const namespace = attributes.get('xmlns');
  if (namespace !== undefined && namespace !== SVG_NAMESPACE)
    throw new LogoProblem(`<${shown(name)}> has another namespace`);
  const prefix = prefixOf(name);
  return prefix === null ? DROPPED_ELEMENTS.has(name) : EDITORS.has(prefix);
}

function cleanElement(element: XmlElement): CleanElement {
  const { name } = element;
  if (!ELEMENTS.has(name)) throw new LogoProblem(`<${shown(name)}> is not allowed`);
  const clean: CleanElement = { name, id: null, attributes: [], children: [], references: [] };
  for (const [attribute, value] of element.attributes) addAttribute(clean, attribute, value);
  if (name === 'style') clean.children = [cleanStyleSheet(textOf(element))];
  else for (const child of element.children) addChild(clean, child);
  return clean;
}

function textOf({ children }: XmlElement): string {
  return children
    .map((child) => {
      if (typeof child !== 'string') throw new LogoProblem('<style> has an element in it');
      return child;
    })
    .join('');
}

function addChild(parent: CleanElement, child: XmlElement | string): void {
  if (typeof child === 'string') {
    if (WITH_TEXT.has(parent.name)) parent.children.push(child);
    else if (child.trim() !== '') throw new LogoProblem(`there is text in <${parent.name}>`);
    return;
  }
  if (isDropped(child)) {
    refuseForeignNames(child);
    return;
  }
  if (child.name === 'svg') throw new LogoProblem('<svg> is in it a second time');
  parent.children.push(cleanElement(child));
}

/** A prefix of an editor must not stand for the elements of a page. */
function refuseForeignNames({ attributes, children }: XmlElement): void {
  for (const [attribute, value] of attributes) if (attribute.startsWith('xmlns')) refuseNamespace(value);
  for (const child of children) if (typeof child !== 'string') refuseForeignNames(child);
}

function refuseNamespace(value: string): void {
  if (value === SVG_NAMESPACE || value === XHTML_NAMESPACE)
    throw new LogoProblem('it has a prefix for the names of SVG or of HTML');
}

function addAttribute(clean: CleanElement, name: string, value: string): void {
  if (/^on/i.test(name)) throw new LogoProblem(`${shown(name)} is an event handler`);
  if (name === 'xmlns') return;
  if (name.startsWith('xmlns:')) return checkPrefix(name, value);
  if (name === 'href' || name === 'xlink:href') return addLink(clean, value);
  if (name === 'id') {
    if (!ID.test(value))
      throw new LogoProblem('it has an id that is more than letters, digits, dots and hyphens');
    clean.id = value;
  } else if (name === 'class') {
    if (!CLASS.test(value))
      throw new LogoProblem('it has a class that is more than letters, digits and hyphens');
  } else if (name === 'style') {
    const declarations = cleanDeclarations(value, (id) => clean.references.push(id));
    if (declarations !== '') clean.attributes.push([name, declarations]);
    return;
  } else if (ATTRIBUTES.has(name) || PROPERTIES.has(name)) checkValue(clean, name, value);
  else if (isDroppedAttribute(name)) return;
  else throw new LogoProblem(`the attribute ${shown(name)} is not allowed`);
  clean.attributes.push([name, value]);
}

function isDroppedAttribute(name: string): boolean {
  const prefix = prefixOf(name);
  return (
    DROPPED_ATTRIBUTES.has(name) ||
    /^(data|aria)-[\w-]+$/.test(name) ||
    (prefix !== null && EDITORS.has(prefix))
  );
}

function checkPrefix(name: string, value: string): void {
  refuseNamespace(value);
  if (name === 'xmlns:xlink' && value !== XLINK_NAMESPACE)
    throw new LogoProblem('xlink stands for another namespace');
}

function addLink(clean: CleanElement, value: string): void {
  const [, id] = LOCAL.exec(value) ?? [];
  if (!LINKING.has(clean.name)) throw new LogoProblem(`<${clean.name}> has a link`);
  if (id === undefined) throw new LogoProblem('it refers to something outside of it; only #id is allowed');
  if (clean.attributes.some(([name]) => name === 'href')) return;
  clean.references.push(id);
  // As SVG 2 has it; all browsers read it.
  clean.attributes.push(['href', value]);
}

function checkValue(clean: CleanElement, name: string, value: string): void {
  const [, , id] = REFERRING.has(name) ? (REFERENCE.exec(value.trim()) ?? []) : [];
  if (id !== undefined) clean.references.push(id);
  else if (!isPlainValue(value))
    throw new LogoProblem(`the value of ${name} is not a plain one, or refers to something outside of it`);
}

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?`;
const VIEW_BOX = new RegExp(String.raw`^\s*${NUMBER}(?:[\s,]+${NUMBER}){3}\s*$`);
const LENGTH = new RegExp(`^(${NUMBER})(?:px)?$`);

/** Without a `viewBox`, a picture would be cut and not be made smaller. */
function withViewBox(attributes: CleanElement['attributes']): CleanElement['attributes'] {
  const valueOf = (name: string) => attributes.find(([each]) => each === name)?.[1];
  const viewBox = valueOf('viewBox');
  if (viewBox !== undefined) {
    if (!VIEW_BOX.test(viewBox)) throw new LogoProblem('its viewBox is not four numbers');
    return attributes;
  }
  const [, width] = LENGTH.exec(valueOf('width') ?? '') ?? [];
  const [, height] = LENGTH.exec(valueOf('height') ?? '') ?? [];
  if (width === undefined || height === undefined)
    throw new LogoProblem('it has neither a viewBox nor a width and a height in pixels');
  return [...attributes, ['viewBox', `0 0 ${width} ${height}`]];
}

/** Elements of elements that are drawn again and again grow with every level. @throws LogoProblem */
function refuseExpensive(root: CleanElement): void {
  const byId = new Map<string, CleanElement>();
  const drawn = new Map<CleanElement, number>();
  const index = (element: CleanElement): void => {
    if (element.id !== null && !byId.has(element.id)) byId.set(element.id, element);
    for (const child of element.children) if (typeof child !== 'string') index(child);
  };
  const count = (element: CleanElement, within: readonly CleanElement[]): number => {
    const known = drawn.get(element);
    if (known !== undefined) return known;
    if (within.includes(element)) throw new LogoProblem('elements of it refer to each other in a circle');
    if (within.length > MAX_REFERENCES_DEEP * 2) throw new LogoProblem('its references are too deep');
    const inner = [...within, element];
    let total = 1;
    for (const child of element.children) if (typeof child !== 'string') total += count(child, inner);
    for (const id of element.references) {
      const target = byId.get(id);
      if (target) total += count(target, inner);
    }
    if (total > MAX_DRAWN) throw new LogoProblem(`more than ${MAX_DRAWN} elements of it would be drawn`);
    drawn.set(element, total);
    return total;
  };
  index(root);
  count(root, []);
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

function serialize({ name, attributes, children }: CleanElement): string {
  const head = attributes.map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`).join('');
  if (children.length === 0) return `<${name}${head}/>`;
  const content = children.map((child) => (typeof child === 'string' ? escaped(child) : serialize(child)));
  return `<${name}${head}>${content.join('')}</${name}>`;
}
