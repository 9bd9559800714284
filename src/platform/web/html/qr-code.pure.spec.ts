import { decodeQR } from 'qr/decode.js';
import { qrCode, qrCodeSvg } from './qr-code.pure.js';

/** Paints the SVG's runs as a scanner would see them: 4 pixels a module, RGBA. */
function paint(svg: string): { width: number; height: number; data: Uint8Array } {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const scale = 4;
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  const dark = svg.slice(svg.lastIndexOf('<path'));
  for (const [, x, y, length] of dark.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      const start = (row * width + Number(x) * scale) * 4;
      for (let pixel = 0; pixel < Number(length) * scale; pixel++)
        data.fill(0, start + pixel * 4, start + pixel * 4 + 3);
    }
  }
  return { width, height: width, data };
}

describe('qrCode', () => {
  it.each([
    'ethereum:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266@1?value=1500000000000000001',
    `ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@31337/transfer?address=0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266&uint256=5000000`,
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  ])('scans as %s', (content) => {
    expect(decodeQR(paint(qrCodeSvg(content)))).toBe(content);
  });

  it('is a self-contained image without scripts, text or external resources', () => {
    const svg = qrCodeSvg('"><script>alert(1)</script>');
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1" [^<>]+>(<path [^<>]+\/>){2}<\/svg>$/,
    );
    expect(svg).not.toContain('script');
  });

  it('returns the same image as a data URI', () => {
    const { content, format, dataUri } = qrCode('ethereum:x');
    expect({ content, format }).toEqual({ content: 'ethereum:x', format: 'image/svg+xml' });
    const [head, base64 = ''] = dataUri.split(',');
    expect(head).toBe('data:image/svg+xml;base64');
    expect(Buffer.from(base64, 'base64').toString()).toBe(qrCodeSvg('ethereum:x'));
  });
});
