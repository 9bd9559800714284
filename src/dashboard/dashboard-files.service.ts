import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { directionOf, LOCALES, type Locale } from '../platform/kernel/i18n/locale.pure.js';

/** A file of the dashboard, as it is sent. */
export interface DashboardFile {
  type: string;
  content: Buffer;
  gzipped: Buffer;
}

/** The page, which has its style and messages inside. */
export interface DashboardPage extends DashboardFile {
  /** Of its style element, for the policy. */
  styleHash: string;
}

/** The same way from src/ and from dist/src/. */
const FOLDER = new URL('../../web/build/dashboard/', import.meta.url);
const HTML = 'text/html; charset=utf-8';
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * The built dashboard (web/dashboard/), read once: names of requests are looked up and never become paths. It holds no
 * secret, so it is sent compressed to everybody.
 */
@Injectable()
export class DashboardFiles {
  private pages: ReadonlyMap<Locale, DashboardPage> | null = null;
  private assets: ReadonlyMap<string, DashboardFile> | null = null;

  /** The page of all screens, in a language. @throws Error if the dashboard was not built */
  page(locale: Locale): DashboardPage {
    this.pages ??= readPages();
    const page = this.pages.get(locale);
    if (!page) throw new Error(`the dashboard is not built in ${locale}: run "npm run build"`);
    return page;
  }

  /** A script. Its name contains a hash of its content. */
  findAsset(name: string): DashboardFile | null {
    this.assets ??= new Map(readdirSync(new URL('assets/', FOLDER)).map(readAsset));
    return this.assets.get(name) ?? null;
  }
}

function readPages(): ReadonlyMap<Locale, DashboardPage> {
  const page = readFileSync(new URL('index.html', FOLDER), 'utf8');
  const [, afterTag = ''] = page.split('<style>');
  const [style = ''] = afterTag.split('</style>');
  const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
  return new Map(
    LOCALES.map((locale) => [locale, { ...compress(HTML, inLanguage(page, locale)), styleHash }]),
  );
}

/** With the messages of a language, as data that no policy takes for a script. */
function inLanguage(page: string, locale: Locale): Buffer {
  const messages = readFileSync(new URL(`messages/${locale}.json`, FOLDER), 'utf8').replaceAll(
    '<',
    '\\u003c',
  );
  return Buffer.from(
    page
      .replace('<html lang="en">', `<html lang="${locale}" dir="${directionOf(locale)}">`)
      .replace(
        '</body>',
        () => `  <script type="application/json" id="messages">${messages}</script>\n  </body>`,
      ),
  );
}

function readAsset(name: string): [string, DashboardFile] {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return [name, compress(type, readFileSync(new URL(`assets/${name}`, FOLDER)))];
}

function compress(type: string, content: Buffer): DashboardFile {
  return { type, content, gzipped: gzipSync(content, { level: 9 }) };
}
