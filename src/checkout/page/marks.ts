import { type Html, markup } from '../../platform/kernel/markup.pure.js';

/**
 * Own simple glyphs, so that people find a coin by its color and form: nobody's logo. Lines of one pen on a grid of 32; the
 * colors are classes of web/page.css.
 */
const ETHEREUM = 'M10.5 10h11M11.5 16h9M10.5 22h11';
const TRON = 'M9 10.5h14L16 24z';
const BNB = 'M16 8.5l7.5 7.5-7.5 7.5L8.5 16zM16 16h.01';
const POLYGON = 'M16 8l7 4v8l-7 4-7-4v-8z';
const AVALANCHE = 'M9.5 22.5L16 9l6.5 13.5';
const BITCOIN =
  'M12.5 9.5v13M12.5 9.5h5a3.1 3.1 0 0 1 0 6.2h-5M12.5 15.7h5.9a3.4 3.4 0 0 1 0 6.8h-5.9M15 7v2.5M18.5 7.3v2.2M15 22.5V25M18.5 22.5v2.2';
const LITECOIN = 'M14.5 8.5v14.5H22M10.5 17.6l8-4.2';
const DOGECOIN = 'M13 9h3a7 7 0 0 1 0 14h-3zM9.5 16h7';
const BITCOIN_CASH =
  'M13 9v14M13 9h4.5a3.3 3.3 0 0 1 0 6.6H13M13 15.6h5.4a3.7 3.7 0 0 1 0 7.4H13M9.5 12.3H15M9.5 19.3H15';

const COINS: Readonly<Record<string, string>> = {
  USDC: 'M20.2 12c-.8-1.5-2.3-2.3-4.1-2.3-2.4 0-4.1 1.2-4.1 3.1 0 4.5 8.5 2.1 8.5 6.5 0 1.9-1.8 3.1-4.3 3.1-2 0-3.6-.9-4.4-2.5M16.1 7v2.7M16.1 22.4v2.7',
  USDT: 'M9.5 9.5h13M16 9.5V24M11.5 14.6h9',
  BTC: BITCOIN,
  ETH: ETHEREUM,
  LTC: LITECOIN,
  DOGE: DOGECOIN,
  BCH: BITCOIN_CASH,
  TRX: TRON,
  BNB,
  POL: POLYGON,
  AVAX: AVALANCHE,
};

/** The glyph of a network by its slug, and the class of its color: that of its coin, unless it has one of its own. */
const NETWORKS: Readonly<Record<string, readonly [color: string, glyph: string]>> = {
  ethereum: ['eth', ETHEREUM],
  base: ['base', 'M9 19.5h14'],
  tron: ['trx', TRON],
  polygon: ['pol', POLYGON],
  arbitrum: ['arbitrum', 'M11 22.5l4.5-13M17.5 22.5l3.2-9'],
  optimism: ['optimism', 'M16 10a6 6 0 1 1 0 12 6 6 0 0 1 0-12z'],
  bsc: ['bnb', BNB],
  avalanche: ['avax', AVALANCHE],
  bitcoin: ['btc', BITCOIN],
  litecoin: ['ltc', LITECOIN],
  dogecoin: ['doge', DOGECOIN],
  bitcoincash: ['bch', BITCOIN_CASH],
};

/** A disc; one without a glyph has the first letter of its code. It always stands beside the name. */
export function coinMark(code: string): Html {
  return markup`<svg class="disc" viewBox="0 0 32 32" aria-hidden="true">${disc(code)}</svg>`;
}

/** A tile, as coins are discs. */
export function networkMark(slug: string): Html {
  return markup`<svg class="tile" viewBox="0 0 32 32" aria-hidden="true">${tile(slug)}</svg>`;
}

/** A coin on a network: the tile sits on the lower end of the disc. */
export function methodMark(code: string, slug: string): Html {
  return markup`<svg class="on" viewBox="0 0 36 36" aria-hidden="true">${disc(code)}<rect class="rim" x="17" y="17" width="19" height="19" rx="6"/><g transform="translate(18.5 18.5) scale(0.5)">${tile(slug)}</g></svg>`;
}

function disc(code: string): Html {
  const glyph = COINS[code];
  const color = glyph === undefined ? 'unlisted' : code.toLowerCase();
  return markup`<circle class="${color}" cx="16" cy="16" r="16"/>${glyph === undefined ? letter(code) : pen(glyph)}`;
}

function tile(slug: string): Html {
  const [color, glyph] = NETWORKS[slug] ?? ['unlisted', null];
  return markup`<rect class="${color}" width="32" height="32" rx="9"/>${glyph === null ? letter(slug) : pen(glyph)}`;
}

function pen(path: string): Html {
  return markup`<path class="glyph" d="${path}"/>`;
}

function letter(name: string): Html {
  return markup`<text x="16" y="22" text-anchor="middle">${name.charAt(0).toUpperCase()}</text>`;
}
