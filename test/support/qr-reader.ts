import type { Locator, Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';

/** What a phone's camera would read of a QR code on a page. */
export async function readQr(page: Page, code: Locator): Promise<string> {
  return readQrImage(page, `data:image/png;base64,${(await code.screenshot()).toString('base64')}`);
}

/**
 * The same of an image, which a page of its own paints: a checkout page's policy would refuse the script.
 * @param page is painted on if it is blank; else one beside it
 */
export async function readQrImage(page: Page, dataUri: string): Promise<string> {
  const isBlank = page.url() === 'about:blank';
  const blank = isBlank ? page : await page.context().newPage();
  const { width, height, base64 } = await blank.evaluate<{ width: number; height: number; base64: string }>(`
    (async () => {
      const image = new Image();
      image.src = '${dataUri}';
      await image.decode();
      // An SVG without a size of its own is painted in its box of modules, too small for a reader.
      const scale = Math.max(1, Math.ceil(300 / image.width));
      const [width, height] = [image.width * scale, image.height * scale];
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas.drawImage(image, 0, 0, width, height);
      let text = '';
      for (const byte of canvas.getImageData(0, 0, width, height).data) text += String.fromCharCode(byte);
      return { width, height, base64: btoa(text) };
    })()`);
  if (!isBlank) await blank.close();
  return decodeQR({ width, height, data: Buffer.from(base64, 'base64') }, { timeLimit: 5_000 });
}
