/**
 * The accent color of a shop, which the checkout uses for links, the outline of the focus, and in place of ink: main buttons
 * (specification/applications.md#branding). Contrast as WCAG 2.2 defines it.
 */

/** What the accent stands on, the card first: of web/tokens.css; a test compares them. */
export const SURFACES = {
  light: ['#ffffff', '#f7f6f3', '#fcefd6'],
  dark: ['#1b1a18', '#121110', '#36290f'],
} as const;

/** WCAG 2.2, 1.4.3: text. */
const TEXT = 4.5;
/** 1.4.11: parts of the interface. */
const PART = 3;

export interface AccentColors {
  accent: string;
  /** Black or white, for text on the accent. */
  onAccent: string;
  /** A background in which a little of the accent is mixed with the card. */
  tint: string;
}

type Rgb = readonly [number, number, number];

const WHITE = '#ffffff';
const BLACK = '#000000';
const STEPS = 100;

function rgbOf(hex: string): Rgb {
  const at = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16);
  return [at(1), at(3), at(5)];
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. @param a `#rrggbb`, as is `b` */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function mix(from: string, to: string, share: number): string {
  const target = rgbOf(to);
  const [red, green, blue] = rgbOf(from);
  const part = (value: number, at: 0 | 1 | 2) => Math.round(value + (target[at] - value) * share);
  return hexOf([part(red, 0), part(green, 1), part(blue, 2)]);
}

/** A tenth of the accent. */
const TINT = 0.1;

/** The color nearest to `accent`, on its way to black or white, that is accepted. */
function nearest(accent: string, towards: string, isAccepted: (color: string) => boolean): string {
  for (let step = 0; step < STEPS; step++) {
    const color = mix(accent, towards, step / STEPS);
    if (isAccepted(color)) return color;
  }
  return towards;
}

function colorsOn(surfaces: readonly [string, ...string[]], accent: string, towards: string): AccentColors {
  const tintOf = (color: string) => mix(surfaces[0], color, TINT);
  const readable = nearest(accent, towards, (color) =>
    [...surfaces, tintOf(color)].every((surface) => contrast(color, surface) >= TEXT),
  );
  const onAccent = contrast(readable, WHITE) >= TEXT ? WHITE : BLACK;
  return { accent: readable, onAccent, tint: tintOf(readable) };
}

/**
 * The colors of the page: text in the accent, and text on it, have a contrast of at least 4.5 in both themes. A color
 * that lacks some is darkened for the light theme, and lightened for the dark one.
 * @param accent `#rrggbb`
 */
export function accentColors(accent: string): { light: AccentColors; dark: AccentColors } {
  return {
    light: colorsOn(SURFACES.light, accent, BLACK),
    dark: colorsOn(SURFACES.dark, accent, WHITE),
  };
}

/**
 * Why a color cannot be an accent, or null. Below 3:1 on the light card it would have to become another color; a dark
 * one keeps its hue when it is lightened for the dark theme, so none is too dark.
 */
export function accentProblem(accent: string): string | null {
  const ratio = contrast(accent, SURFACES.light[0]);
  if (ratio >= PART) return null;
  // Rounded down: 2.996 is not 3.
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  const darker = nearest(accent, BLACK, (color) => contrast(color, SURFACES.light[0]) >= PART);
  return `it has a contrast of ${shown}:1 with the white card of the page, and needs 3:1; the nearest color that has it is ${darker}`;
}
