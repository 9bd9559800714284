import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { markup } from '../../src/platform/kernel/markup.pure.js';

const DEVICES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1_280, height: 800 },
} as const;
const SCHEMES = ['light', 'dark'] as const;

/** Pictures of pages on a phone and on a desk, light and dark, and one page that shows them all. */
export class ContactSheet {
  private readonly taken: string[] = [];

  /** @param folder is made if it does not exist */
  constructor(private readonly folder: string) {}

  /** Takes four pictures of a page, from its top to its end. */
  async take(page: Page, name: string): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    this.taken.push(name);
    for (const [device, size] of Object.entries(DEVICES)) {
      await page.setViewportSize(size);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const file = path.join(this.folder, fileOf(name, device, colorScheme));
        await page.screenshot({ path: file, fullPage: true });
      }
    }
  }

  /** Writes `index.html`. */
  async write(): Promise<void> {
    const pictures = (name: string) =>
      Object.keys(DEVICES).flatMap((device) =>
        SCHEMES.map(
          (scheme) =>
            markup`<a href="${fileOf(name, device, scheme)}"><img src="${fileOf(name, device, scheme)}" alt="${`${name}, ${device}, ${scheme}`}" class="${device}"></a>`,
        ),
      );
    const { text } = markup`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Screens</title>
<style>body { font: 1rem system-ui; background: #ddd } section { display: flex; gap: 1rem; align-items: start; overflow-x: auto } .phone { width: 12rem } .desktop { width: 30rem }</style>
${this.taken.map((name) => markup`<h2>${name}</h2><section>${pictures(name)}</section>`)}
</html>
`;
    await writeFile(path.join(this.folder, 'index.html'), text);
  }
}

function fileOf(name: string, device: string, scheme: string): string {
  return `${name}-${device}-${scheme}.png`;
}
