/** What an SVG logo may consist of. Whatever is not listed here is refused, or dropped where an editor left it behind. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
export const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
export const XHTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

/** No script, no foreignObject, no image, no link, no animation, no filter, no pattern, no second svg. */
export const ELEMENTS = words(`
  svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask`);

/** The elements whose text is kept. */
export const WITH_TEXT = words('title desc style text tspan');

/** Dropped with all that is in them. */
export const DROPPED_ELEMENTS = words('metadata');
/** Prefixes of the elements and attributes that editors leave behind. */
export const EDITORS = words('inkscape sodipodi serif sketch rdf cc dc figma bx vectornator');
export const DROPPED_ATTRIBUTES = words(`
  version baseProfile xml:space xml:lang lang enable-background role focusable tabindex overflow contentScriptType
  contentStyleType zoomAndPan`);

/** Colors and what may stand for one. */
const PAINTS = words('fill stroke');
/** The attributes and properties that may refer to an element of the same file, by `url(#id)`. */
export const REFERRING = new Set([...PAINTS, ...words('clip-path mask')]);

export const PROPERTIES = words(`
  fill stroke clip-path mask color opacity fill-opacity stroke-opacity stop-color stop-opacity fill-rule clip-rule
  stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset display visibility
  font-family font-size font-style font-weight font-stretch letter-spacing word-spacing text-anchor text-decoration
  dominant-baseline alignment-baseline baseline-shift paint-order shape-rendering text-rendering vector-effect
  transform isolation mask-type`);

/** Attributes besides {@link PROPERTIES}, `href`, `style`, `id` and `class`. */
export const ATTRIBUTES = words(`
  x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points width height viewBox preserveAspectRatio transform
  gradientUnits gradientTransform spreadMethod offset clipPathUnits maskUnits maskContentUnits pathLength
  textLength lengthAdjust rotate`);

/** The elements that may have an `href`, to another one of the same file. */
export const LINKING = words('use linearGradient radialGradient');

export const ID = /^[A-Za-z_][\w.-]{0,99}$/;
export const CLASS = /^[\w .-]{0,500}$/;
export const LOCAL = /^#([A-Za-z_][\w.-]{0,99})$/;
/** `url(#id)`, and what is painted where there is no such element. */
export const REFERENCE = /^url\(\s*(["']?)#([A-Za-z_][\w.-]{0,99})\1\s*\)(?:\s+(?:none|#?\w{3,30}))?$/;
/** Numbers, names and colors, and functions of them. Neither a colon nor a slash: no address can be written. */
const VALUE = /^[\w\s.,#%+()'"-]*$/;
/** Functions that load something, or that are not of SVG. */
const LOADING = /\b(url|src|image|image-set|cross-fade|element|attr|var|env|expression)\s*\(/i;

/** Whether a value can neither load nor run anything. */
export function isPlainValue(value: string): boolean {
  return VALUE.test(value) && !LOADING.test(value);
}
