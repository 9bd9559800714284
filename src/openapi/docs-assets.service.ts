import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { type WebAsset, webAsset } from '../platform/web/html/web-asset.js';

export interface DocsAsset {
  type: string;
  text: string;
}

const JAVASCRIPT = 'text/javascript';
const CSS = 'text/css';
/** The only files of the package that are served. */
const OF_PACKAGE: Record<string, string> = {
  'swagger-ui.css': CSS,
  'swagger-ui-bundle.js': JAVASCRIPT,
};
const OURS: Record<string, { type: string; file: WebAsset }> = {
  'start.js': { type: JAVASCRIPT, file: 'docs.js' },
  'page.css': { type: CSS, file: 'docs.css' },
};

/** The parts of the documentation page; those of the package are read on the first request. */
@Injectable()
export class DocsAssetsService {
  private readonly read = new Map<string, Promise<DocsAsset>>();

  async find(name: string): Promise<DocsAsset | null> {
    const own = Object.hasOwn(OURS, name) ? OURS[name] : undefined;
    if (own) return { type: own.type, text: webAsset(own.file) };
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
