import type { ServerResponse } from 'node:http';
import { Injectable, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { fieldsOf } from '../contract/field.js';
import { Clock } from '../../kernel/clock.pure.js';
import { currentRequest } from '../../kernel/request-context.js';
import type { Principal, PrincipalRequest } from '../../kernel/principal.pure.js';
import { csvLine, type ExportValue } from '../../kernel/csv.pure.js';
import { type MessageKey, textsOf } from '../../kernel/i18n/texts.js';
import { cellsOf, type Sheet, type SheetRow, SheetTotals } from '../../kernel/sheet.pure.js';
import { type SheetCell, sheetCsvLine } from '../../kernel/sheet-format.pure.js';
import type { ExportFormat, ProgramFormat, SheetForm } from './export-query.js';
import { WORKBOOK_TYPE } from '../contract/operation.js';
import { workbook } from './workbook.js';
import { shownToClient } from './links-for-viewers.js';
import { AtOnce } from '../rate-limiting/at-once.js';

const AT_ONCE = { name: 'exports', perUser: 2, total: 20, retryAfter: 10 };
/** Rows of one read, which is also what is written in one turn of the event loop, while all others wait. */
export const EXPORT_PAGE = 100;
/** A client that reads nothing for so long is disconnected. Milliseconds. */
const PATIENCE_MS = 60_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const CONTENT_TYPE: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
  xlsx: WORKBOOK_TYPE,
};
/** Excel reads a CSV file without it in the encoding of its system. */
const BYTE_ORDER_MARK = '\u{feff}';

/** A request whose response is an export. */
export type ExportRequest = Omit<Request, 'user'> & PrincipalRequest;

/** Where a page of an export begins: after this row, in the order of time and id. */
export interface ExportPlace {
  at: Date;
  id: string;
}

export type ExportOrder = 'newest-first' | 'oldest-first';

/** The next rows after a place, in an order. */
export type ExportRead<Item> = (
  after: ExportPlace,
  limit: number,
  order: ExportOrder,
) => Promise<readonly Item[]>;

/** The rows of a file. */
export interface ExportRows<Item> {
  /** The time of the oldest rows that it may have, and of the newest: those that are added meanwhile are left out. */
  from: Date | null;
  until: Date;
  read: ExportRead<Item>;
  placeOf: (item: Item) => ExportPlace;
}

/** What to export. */
export interface ExportSource<Item> extends ExportRows<Item> {
  format: ExportFormat;
  /** For people; null: for programs. */
  form: SheetForm | null;
  /** The contract of a row for programs, whose fields are the columns. */
  row: Type<object>;
  show: (item: Item) => object;
  /** The same for people. */
  sheet: Sheet;
  showPeople: (items: readonly Item[]) => Promise<readonly SheetRow[]>;
}

/** What is between two looks whether the client may still read: the rows of one page. */
type Pages<Row> = AsyncGenerator<readonly Row[], void>;

/**
 * Writes exports of any length (specification/exports.md#streaming): page by page, each read by a statement of its own
 * once the client has taken the one before. So memory is bounded, no transaction or connection of the database is held
 * while a client is slow, and an error closes the connection before the end of the response.
 */
@Injectable()
export class Exports {
  private readonly atOnce = new AtOnce(AT_ONCE);

  constructor(private readonly clock: Clock) {}

  /** @throws TooManyRequestsError, ServiceUnavailableError before anything is written */
  send<Item>(
    principal: Principal,
    request: ExportRequest,
    response: ServerResponse,
    source: ExportSource<Item>,
  ): Promise<void> {
    const { form, sheet, format } = source;
    if (form)
      return this.sendSheet(principal, request, response, { sheet, form, pages: peoplePages(source) });
    if (format === 'xlsx') throw new Error('a workbook has no form');
    return this.atOnce.run(principal.userId, () => this.writeForPrograms(request, response, source, format));
  }

  /** A file for people, of rows from anywhere. */
  sendSheet(
    principal: Principal,
    request: ExportRequest,
    response: ServerResponse,
    source: { sheet: Sheet; form: SheetForm; pages: Pages<SheetRow> },
  ): Promise<void> {
    return this.atOnce.run(principal.userId, () => this.writeForPeople(request, response, source));
  }

  private async writeForPrograms<Item>(
    request: ExportRequest,
    response: ServerResponse,
    source: ExportSource<Item>,
    format: ProgramFormat,
  ): Promise<void> {
    const columns = [...fieldsOf(source.row).keys()];
    let head = format === 'csv' ? csvLine(columns) : '';
    const pages = watched(request, response, pagesOf(source, 'newest-first'));
    await this.begin(request, response, { name: this.fileName(source.sheet), format }, pages, async (all) => {
      for await (const items of all) {
        const text = head + items.map((item) => line(format, columns, source.show(item))).join('');
        head = '';
        if (text !== '') await put(response, shownToClient(text));
      }
    });
  }

  private async writeForPeople(
    request: ExportRequest,
    response: ServerResponse,
    { sheet, form, pages }: { sheet: Sheet; form: SheetForm; pages: Pages<SheetRow> },
  ): Promise<void> {
    const { name, columns } = sheet;
    const { format, language, numbers, timeZone } = form;
    const texts = textsOf(language);
    const heads = Object.entries(columns).map(([key, kind]) => {
      const head = texts.text(key as MessageKey);
      return kind === 'instant' ? `${head} (${timeZone})` : head;
    });
    const cellsIn = (row: SheetRow): SheetCell[] => cellsOf(columns, row, { texts, timeZone }).map(shownCell);
    const lines = async function* (all: Pages<SheetRow>): AsyncGenerator<SheetCell[], void> {
      const totals = new SheetTotals(sheet);
      for await (const rows of all)
        for (const row of rows) {
          totals.add(row);
          yield cellsIn(row);
        }
      const sums = totals.rows();
      // An empty line ends what a spreadsheet takes for one table, so that nobody adds up the sums.
      if (sums.length > 0) yield [];
      for (const row of sums) yield [{ text: texts.text('sheet.total') }, ...cellsIn(row).slice(1)];
    };
    const file = { name: this.fileName(sheet), format };
    await this.begin(request, response, file, watched(request, response, pages), async (all) => {
      const titles = [...heads, texts.text('sheet.note')];
      if (format === 'xlsx') {
        const kinds = [...Object.values(columns), 'text' as const];
        for await (const chunk of workbook(lines(all), { name, titles, kinds, numbers }))
          await put(response, chunk);
        return;
      }
      let text =
        BYTE_ORDER_MARK +
        sheetCsvLine(
          titles.map((title) => ({ text: title })),
          numbers,
        );
      for await (const cells of lines(all)) {
        text += sheetCsvLine(cells, numbers);
        if (text.length < CHUNK) continue;
        await put(response, text);
        text = '';
      }
      await put(response, text);
    });
  }

  private fileName({ name, hasSpan = false }: Sheet): string {
    return hasSpan ? name : `${name}-${this.clock.now().toISOString().slice(0, 10)}`;
  }

  /** Reads the first page before the headers are sent: its failure is an ordinary error response. */
  private async begin<Row>(
    request: ExportRequest,
    response: ServerResponse,
    { name, format }: { name: string; format: ExportFormat },
    pages: Pages<Row>,
    write: (pages: Pages<Row>) => Promise<void>,
  ): Promise<void> {
    const first = await pages.next();
    response.setTimeout(PATIENCE_MS, () => response.destroy());
    response.writeHead(200, {
      'Content-Type': CONTENT_TYPE[format],
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
      // Asks nginx not to buffer the response: it would read ahead of a slow client.
      'X-Accel-Buffering': 'no',
    });
    // Express routes HEAD to the handler of GET.
    if (request.method !== 'HEAD') {
      const all = async function* (): Pages<Row> {
        if (!first.done) yield first.value;
        yield* pages;
      };
      await write(all());
    }
    if (!response.destroyed) response.end();
  }
}

/** Characters of a CSV file that are written at once. */
const CHUNK = 64 * 1024;

/** All rows, page by page: each read by a statement of its own. */
export async function* pagesOf<Item>(
  { from, until, read, placeOf }: ExportRows<Item>,
  order: ExportOrder,
): Pages<Item> {
  let place: ExportPlace =
    order === 'newest-first' ? { at: until, id: LAST_ID } : { at: from ?? new Date(0), id: FIRST_ID };
  const current = currentRequest();
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst) await current?.nextTurn?.();
    const items = await read(place, EXPORT_PAGE, order);
    yield items;
    const last = items.at(-1);
    if (!last || items.length < EXPORT_PAGE) return;
    place = placeOf(last);
  }
}

async function* peoplePages<Item>(source: ExportSource<Item>): Pages<SheetRow> {
  for await (const items of pagesOf(source, 'oldest-first')) yield await source.showPeople(items);
}

/** Ends by a broken connection when the token is revoked, and reads no further for a client that has left. */
async function* watched<Row>(
  request: ExportRequest,
  response: ServerResponse,
  pages: Pages<Row>,
): Pages<Row> {
  for (let isFirst = true; ; isFirst = false) {
    if (response.destroyed) return;
    if (!isFirst && request.isTokenGood && !(await request.isTokenGood())) return void response.destroy();
    const page = await pages.next();
    if (page.done) return;
    yield page.value;
  }
}

/** As the client may see it. */
function shownCell(cell: SheetCell): SheetCell {
  return cell && 'text' in cell ? { text: shownToClient(cell.text) } : cell;
}

function line(format: ProgramFormat, columns: readonly string[], row: object): string {
  const values = row as Record<string, ExportValue>;
  return format === 'csv'
    ? csvLine(columns.map((column) => values[column] ?? null))
    : `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, values[column] ?? null])))}\n`;
}

/** Writes, and waits until the client has taken what was written, or has left. */
async function put(response: ServerResponse, part: string | Uint8Array): Promise<void> {
  if (!response.destroyed && !response.write(part)) await drained(response);
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
