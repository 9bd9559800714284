import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';

/** A file of the dashboard, as it is sent. */
export interface DashboardFile {
  type: string;
  content: Buffer;
  gzipped: Buffer;
}

/** The same way from src/ and from dist/src/. */
const FOLDER = new URL('../../web/build/dashboard/', import.meta.url);
const PAGE = 'index.html';
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * The built dashboard (web/dashboard/), read once: names of requests are looked up and never become paths. It holds no
 * secret, so it is sent compressed to everybody.
 */
@Injectable()
export class DashboardFiles {
  private files: ReadonlyMap<string, DashboardFile> | null = null;

  /** The page of all screens. @throws Error if the dashboard was not built */
  page(): DashboardFile {
    const page = this.all().get(PAGE);
    if (!page) throw new Error('the dashboard is not built: run "npm run build"');
    return page;
  }

  /** A script or style sheet. Its name contains a hash of its content. */
  findAsset(name: string): DashboardFile | null {
    return this.all().get(`assets/${name}`) ?? null;
  }

  private all(): ReadonlyMap<string, DashboardFile> {
    this.files ??= new Map([
      read(PAGE),
      ...readdirSync(new URL('assets/', FOLDER)).map((name) => read(`assets/${name}`)),
    ]);
    return this.files;
  }
}

function read(name: string): [string, DashboardFile] {
  const content = readFileSync(new URL(name, FOLDER));
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return [name, { type, content, gzipped: gzipSync(content, { level: 9 }) }];
}
