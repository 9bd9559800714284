import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { PAGE_STYLE, START_SCRIPT } from './docs-page.js';

export interface DocsAsset {
  type: string;
  text: string;
}

const JAVASCRIPT = 'text/javascript';
const CSS = 'text/css';
/** Files of the package, and nothing else of it. */
const OF_PACKAGE: Record<string, string> = {
  'swagger-ui.css': CSS,
  'swagger-ui-bundle.js': JAVASCRIPT,
};
const OURS: Record<string, DocsAsset> = {
  'start.js': { type: JAVASCRIPT, text: START_SCRIPT },
  'page.css': { type: CSS, text: PAGE_STYLE },
};

/** The parts of the documentation page; those of the package are read when somebody first asks. */
@Injectable()
export class DocsAssetsService {
  private readonly read = new Map<string, Promise<DocsAsset>>();

  async find(name: string): Promise<DocsAsset | null> {
    if (Object.hasOwn(OURS, name)) return OURS[name] ?? null;
    const type = Object.hasOwn(OF_PACKAGE, name) ? OF_PACKAGE[name] : undefined;
    if (type === undefined) return null;
    const asset = this.read.get(name) ?? this.readAsset(name, type);
    this.read.set(name, asset);
    return asset;
  }

  private async readAsset(name: string, type: string): Promise<DocsAsset> {
    const file = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
    return { type, text: await readFile(file, 'utf8') };
  }
}
