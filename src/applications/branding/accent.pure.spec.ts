import { webAsset } from '../../platform/web/html/web-asset.js';
import { accentColors, accentProblem, contrast, SURFACES } from './accent.pure.js';

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#1747d1', '#ffffff', 7.35],
  ])('%s on %s is %d', (a, b, ratio) => {
    expect(contrast(a, b)).toBeCloseTo(ratio, 1);
    expect(contrast(b, a)).toBe(contrast(a, b));
  });
});

describe('accentProblem', () => {
  it.each([
    ['#1747d1', 'blue'],
    ['#000000', 'black: lightened for the dark theme'],
    ['#d32f2f', 'red'],
    ['#949494', 'the lightest gray'],
  ])('accepts %s, %s', (accent) => {
    expect(accentProblem(accent)).toBeNull();
  });

  it.each([
    ['#ffffff', '1.00', '#949494'],
    ['#ffcc00', '1.51', '#b38f00'],
    ['#969696', '2.95', '#939393'],
    ['#00ffff', '1.25', '#00a3a3'],
  ])('refuses %s with its ratio %s and the nearest color %s', (accent, ratio, nearest) => {
    expect(accentProblem(accent)).toBe(
      `it has a contrast of ${ratio}:1 with the white card of the page, and needs 3:1; the nearest color that has it is ${nearest}`,
    );
    expect(accentProblem(nearest)).toBeNull();
  });
});

describe('accentColors', () => {
  it('keeps a color that is readable as it is, with white text on it', () => {
    expect(accentColors('#1747d1').light).toEqual({
      accent: '#1747d1',
      onAccent: '#ffffff',
      tint: '#e8edfa',
    });
  });

  it('has black text on the lightened color of the dark theme', () => {
    expect(accentColors('#1747d1').dark.onAccent).toBe('#000000');
  });

  it('is readable for every color that is accepted, on every surface of both themes', () => {
    const parts = ['00', '33', '66', '99', 'cc', 'ff'];
    const colors = parts.flatMap((red) =>
      parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)),
    );
    for (const color of colors.filter((each) => accentProblem(each) === null)) {
      const themes = accentColors(color);
      for (const theme of ['light', 'dark'] as const) {
        const { accent, onAccent, tint } = themes[theme];
        for (const surface of [...SURFACES[theme], tint, onAccent])
          expect([color, theme, surface, contrast(accent, surface) >= 4.5]).toEqual([
            color,
            theme,
            surface,
            true,
          ]);
      }
    }
  });

  it('knows the surfaces of the style sheet', () => {
    const [light = '', dark = ''] = [...webAsset('page.css').matchAll(/:root ?\{([^}]*)\}/g)].map(
      ([, block]) => block,
    );
    const surfacesOf = (block: string) =>
      ['card', 'bg', 'warn-bg'].map((name) => {
        const [, hex = ''] = new RegExp(`--${name}: ?(#[0-9a-f]{3,6})`).exec(block) ?? [];
        return hex.length === 4 ? hex.replaceAll(/[0-9a-f]/g, '$&$&') : hex;
      });
    expect([surfacesOf(light), surfacesOf(dark)]).toEqual([[...SURFACES.light], [...SURFACES.dark]]);
  });
});
