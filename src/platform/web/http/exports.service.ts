import type { ServerResponse } from 'node:http';
import { Injectable, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { fieldsOf } from '../contract/field.js';
import { ServiceUnavailableError } from '../../kernel/errors/errors.pure.js';
import { Clock } from '../../kernel/clock.pure.js';
import type { Principal, PrincipalRequest } from '../../kernel/principal.pure.js';
import { csvLine, type ExportValue } from '../../kernel/csv.pure.js';
import type { ExportFormat } from './export-query.js';
import { shownToClient } from './links-for-viewers.js';
import { refusalAtOnce } from '../rate-limiting/rate-limit.pure.js';

/** Exports of one user, and of one process, at the same time. */
const PER_USER = 2;
const TOTAL = 20;
/** Seconds after which a refused client should try again. */
const RETRY_AFTER = 10;
/** Rows of one read. */
export const EXPORT_PAGE = 500;
/** A client that reads nothing for so long is disconnected. Milliseconds. */
const PATIENCE_MS = 60_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const CONTENT_TYPE: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
};

/** A request whose response is an export. */
export type ExportRequest = Omit<Request, 'user'> & PrincipalRequest;

/** Where a page of an export begins: after this row, in descending order of time and id. */
export interface ExportPlace {
  at: Date;
  id: string;
}

/** What to export. */
export interface ExportSource<Item> {
  /** The first part of the file name, e.g. `payments`. */
  name: string;
  format: ExportFormat;
  /** The newest rows that it may have; those that are added meanwhile are left out. */
  until: Date | null;
  /** The contract of a row, whose fields are the columns. */
  row: Type<object>;
  /** The next rows after a place, newest first. */
  read: (after: ExportPlace, limit: number) => Promise<readonly Item[]>;
  placeOf: (item: Item) => ExportPlace;
  show: (item: Item) => object;
}

/**
 * Writes exports of any length (specification/exports.md#streaming): page by page, each read by a statement of its own
 * once the client has taken the one before. So memory is bounded, no transaction or connection of the database is held
 * while a client is slow, and an error closes the connection before the end of the response.
 */
@Injectable()
export class Exports {
  /** Open exports by user. */
  private readonly open = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** @throws TooManyRequestsError, ServiceUnavailableError before anything is written */
  async send<Item>(
    { userId }: Principal,
    request: ExportRequest,
    response: ServerResponse,
    source: ExportSource<Item>,
  ): Promise<void> {
    const own = this.open.get(userId) ?? 0;
    if (own >= PER_USER) throw refusalAtOnce('exports', PER_USER, RETRY_AFTER);
    if ([...this.open.values()].reduce((sum, count) => sum + count, 0) >= TOTAL)
      throw new ServiceUnavailableError('Too many exports are running', RETRY_AFTER);
    this.open.set(userId, own + 1);
    try {
      await this.write(request, response, source);
    } finally {
      const left = (this.open.get(userId) ?? 1) - 1;
      if (left > 0) this.open.set(userId, left);
      else this.open.delete(userId);
    }
  }

  private async write<Item>(
    request: ExportRequest,
    response: ServerResponse,
    source: ExportSource<Item>,
  ): Promise<void> {
    const now = this.clock.now();
    const columns = [...fieldsOf(source.row).keys()];
    let place: ExportPlace = { at: source.until ?? now, id: LAST_ID };
    for (let isFirst = true; ; isFirst = false) {
      // Read before the headers are sent: a failure of the first page is an ordinary error response.
      const items = await source.read(place, EXPORT_PAGE);
      if (isFirst) begin(response, source, now);
      // Express routes HEAD to the handler of GET.
      if (request.method === 'HEAD') break;
      const head = isFirst && source.format === 'csv' ? csvLine(columns) : '';
      const text = head + items.map((item) => line(source.format, columns, source.show(item))).join('');
      if (text !== '' && !response.write(shownToClient(text))) await drained(response);
      if (response.destroyed) return;
      const last = items.at(-1);
      if (!last || items.length < EXPORT_PAGE) break;
      place = source.placeOf(last);
      if (request.isTokenGood && !(await request.isTokenGood())) return void response.destroy();
    }
    response.end();
  }
}

function begin(
  response: ServerResponse,
  { name, format }: Pick<ExportSource<unknown>, 'name' | 'format'>,
  now: Date,
): void {
  const date = now.toISOString().slice(0, 10);
  response.setTimeout(PATIENCE_MS, () => response.destroy());
  response.writeHead(200, {
    'Content-Type': CONTENT_TYPE[format],
    'Content-Disposition': `attachment; filename="${name}-${date}.${format}"`,
    // Asks nginx not to buffer the response: it would read ahead of a slow client.
    'X-Accel-Buffering': 'no',
  });
}

function line(format: ExportFormat, columns: readonly string[], row: object): string {
  const values = row as Record<string, ExportValue>;
  return format === 'csv'
    ? csvLine(columns.map((column) => values[column] ?? null))
    : `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, values[column] ?? null])))}\n`;
}

/** Until the client has taken what was written, or has left. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    if (response.destroyed) done();
  });
}
