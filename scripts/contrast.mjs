// The contrast of every pair of text and background in web/, computed from web/tokens.css (WCAG 2.2, 1.4.3 and 1.4.11).

const TEXT = 4.5;
const EDGE = 3;
const MEANINGS = ['good', 'warn', 'bad', 'calm', 'owed'];

const COINS = [
  ...['usdc', 'usdt', 'btc', 'eth', 'ltc', 'doge', 'bch', 'trx', 'bnb', 'pol', 'avax'].map(
    (coin) => `coin-${coin}`,
  ),
  ...['base', 'arbitrum', 'optimism'].map((network) => `net-${network}`),
];

/** [front, back, least contrast] where the two are set by different rules. */
const PAIRS = [
  ...['text', 'soft', 'quiet'].flatMap((front) => ['bg', 'card', 'sunk'].map((back) => [front, back, TEXT])),
  ...['accent', ...MEANINGS].map((front) => [front, 'card', TEXT]),
  ...['accent', 'bad'].map((front) => [front, 'bg', TEXT]),
  ['accent', 'accent-bg', TEXT],
  ['on-accent', 'accent', TEXT],
  ['on-ink', 'ink', TEXT],
  ['on-paper', 'paper', TEXT],
  // Where something is not known: text on the ground of the hatch.
  ['text', 'hatch-bg', TEXT],
  ['soft', 'hatch-bg', TEXT],
  // Notes and the bar of the status: text, links and icons on a tint.
  ...MEANINGS.flatMap((back) => ['text', 'soft', back].map((front) => [front, `${back}-bg`, TEXT])),
  ['accent', 'warn-bg', TEXT],
  // The glyphs of coins and networks, which stand beside their names.
  ...COINS.map((coin) => ['on-coin', coin, EDGE]),
  // Edges of controls.
  ...['bg', 'card', 'sunk'].map((back) => ['edge', back, EDGE]),
];

/** A rule that sets both sides, as `color: var(--a)` and `background: var(--b)`. */
function pairOf(block) {
  const front = /(?:^|[;\s])color:\s*var\(--([a-z-]+)\)/.exec(block)?.[1];
  const back = /background(?:-color)?:\s*var\(--([a-z-]+)\)/.exec(block)?.[1];
  return front && back ? [[front, back, TEXT]] : [];
}

const withoutComments = (css) => css.replace(/\/\*[^]*?\*\//g, '');

function colorsOf(css) {
  return new Map(
    [...css.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{3,8})\b/gi)].map(([, name, hex]) => [name, hex]),
  );
}

/** The colors of each scheme; dark and paper have those of the light one that they do not change. */
export function schemesOf(tokens) {
  const [screen = '', paper = ''] = withoutComments(tokens).split(/@media print\b/);
  const [light = '', dark = ''] = screen.split(/@media[^{]*prefers-color-scheme:\s*dark[^{]*/);
  const colors = colorsOf(light);
  return {
    light: colors,
    dark: new Map([...colors, ...colorsOf(dark)]),
    print: new Map([...colors, ...colorsOf(paper)]),
  };
}

/** WCAG 2.2, relative luminance. @param hex #rgb or #rrggbb */
function luminance(hex) {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. */
export function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/**
 * @param {string} tokens the text of tokens.css
 * @param {Map<string, string>} sheets the other style sheets by name
 * @returns {{ rows: { pair: string, light: number, dark: number, print: number, least: number }[], problems: string[] }}
 */
export function checkContrast(tokens, sheets) {
  const schemes = schemesOf(tokens);
  const problems = [];
  const pairs = new Map(PAIRS.map((pair) => [pair.slice(0, 2).join(' on '), pair]));
  for (const [name, css] of sheets) {
    const text = withoutComments(css);
    for (const [color] of text.matchAll(/#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgb|hsl|oklch)a?\([^)]*\)/gi))
      problems.push(`${name}: ${color} is not a token`);
    for (const [, used] of text.matchAll(/var\(--([a-z0-9-]+)/g))
      // A measure that the sheet sets itself is none of the tokens; colors it cannot set, as is looked at above.
      if (![tokens, text].some((sheet) => sheet.includes(`--${used}:`)))
        problems.push(`${name}: --${used} is not in tokens.css`);
    for (const [, block] of text.matchAll(/\{([^{}]*)\}/g))
      for (const pair of pairOf(block)) {
        const title = pair.slice(0, 2).join(' on ');
        if (!pairs.has(title)) pairs.set(title, pair);
      }
  }
  const rows = [];
  for (const [pair, [front, back, least]] of pairs) {
    const row = { pair, least };
    for (const [scheme, colors] of Object.entries(schemes)) {
      const [a, b] = [colors.get(front), colors.get(back)];
      row[scheme] = a && b ? contrast(a, b) : 0;
      if (row[scheme] < least) problems.push(`${pair}, ${scheme}: ${row[scheme].toFixed(2)}, needs ${least}`);
    }
    rows.push(row);
  }
  return { rows, problems };
}
