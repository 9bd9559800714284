// Files for people, opened by LibreOffice in four languages: what our writer puts into a CSV file and into a workbook is
// compared cell by cell with what Calc has read, with everything recognized that it recognizes: numbers, dates, formulas.
//   node test/harness/spreadsheets.mjs              (apt-get install libreoffice-calc-nogui)
//   node test/harness/spreadsheets.mjs <folder>     leaves the files there, and as pages what Calc shows
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { check, expect, finish } from './checks.mjs';

await import('../../scripts/register-typescript.mjs');
await import('reflect-metadata');
const { Exports } = await import('../../src/platform/web/http/exports.service.ts');
const { sheetForm } = await import('../../src/platform/web/http/export-query.ts');
const { wallClock } = await import('../../src/platform/kernel/zone-days.pure.ts');

const run = promisify(execFile);
/** Milliseconds, against hanging alone. */
const LIMIT = 240_000;
const [, , kept] = process.argv;

/** Tags, Windows' numbers of languages, and a time zone of readers. */
const READERS = [
  ['en-US', 1033, 'America/New_York'],
  ['de-DE', 1031, 'Europe/Berlin'],
  ['fr-FR', 1036, 'Europe/Paris'],
  ['ar-EG', 3073, 'Africa/Cairo'],
];
/** What customers may choose, and what spreadsheets make of it. */
const REFERENCES = [
  '12345678901234567890',
  '000421',
  '2026-11-29',
  '29.11.2026',
  '11/29/2026',
  '3-4',
  '1/2',
  '12.05',
  '12,05',
  '1E5',
  '10:30',
  '10:30 PM',
  'MAR1',
  '5. Mai',
  '3 févr. 2026',
  'TRUE',
  'WAHR',
  'VRAI',
  '5 %',
  '$ 5',
  '5 €',
  'EUR 12',
  '(5)',
  '-5',
  '+49 30 1234',
  '٤٢١',
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1)',
  'A;=1+1',
  'A,=1+1',
  'A\t=1+1',
  'A|=1+1',
  'A;=HYPERLINK("https://evil.example")',
  'A\n=1+1',
  '＝1+1',
  '_x0041_ _x000D_',
  'Order 4711',
  'Müller & Söhne <b> "quoted"',
  'متجر القهوة',
  '咖啡店 🍵',
  "'quoted",
  ' spaces ',
];
const AMOUNTS = [
  '12.05',
  '1250.00',
  '0.1',
  '0.2',
  '999999999999.99',
  '0.000000000000000001',
  '150',
  '0.29719449',
];
/** More digits than a spreadsheet counts with. */
const LONG = ['1.000000000000000001', '12345678901234567.89'];
const COLUMNS = {
  'sheet.paid-at': 'instant',
  'sheet.reference': 'text',
  'sheet.currency': 'text',
  'sheet.amount': 'amount',
  'sheet.attempts': 'count',
};
const SHEET = {
  name: 'payments',
  columns: COLUMNS,
  sums: [{ by: ['sheet.currency'], of: ['sheet.amount'] }],
};
const ROWS = REFERENCES.map((reference, index) => ({
  // Days beyond the twelfth and before it, in winter and in summer.
  'sheet.paid-at': new Date(Date.UTC(2026, (index * 5) % 12, 1 + ((index * 7) % 28), 22, 30, index % 60)),
  'sheet.reference': reference,
  'sheet.currency': index % 3 === 0 ? 'EUR' : 'ETH',
  'sheet.amount': index % 9 === 8 ? LONG[index % 2] : AMOUNTS[index % AMOUNTS.length],
  'sheet.attempts': String(index),
}));

/** The file as a client gets it. */
async function written(format, locale, timeZone) {
  const chunks = [];
  const response = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    }),
    { setTimeout() {}, writeHead() {} },
  );
  const pages = (async function* () {
    yield ROWS.slice(0, 20);
    yield ROWS.slice(20);
  })();
  const form = sheetForm({ format, locale, timeZone });
  const exports = new Exports({ now: () => new Date('2026-11-30T12:00:00Z') });
  await exports.sendSheet({ userId: 'u' }, { method: 'GET' }, response, { sheet: SHEET, form, pages });
  return Buffer.concat(chunks);
}

/** Starts LibreOffice with a profile of its own, in a language. */
async function convert(file, to, folder, locale, filter = []) {
  const profile = path.join(work, `profile-${locale}`);
  await mkdir(path.join(profile, 'user'), { recursive: true });
  await writeFile(path.join(profile, 'user/registrymodifications.xcu'), settings(locale));
  const options = [`-env:UserInstallation=file://${profile}`, '--headless', ...filter];
  await run('soffice', [...options, '--convert-to', to, '--outdir', folder, file], { timeout: LIMIT });
  return path.join(folder, `${path.parse(file).name}.${to.split(':')[0]}`);
}

const settings = (locale) => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>
</oor:items>`;

/** Rows of cells of the first table of a flat OpenDocument file. */
function readTable(xml) {
  const table = /<table:table [^>]*>([^]*?)<\/table:table>/.exec(xml)?.[1] ?? '';
  return [...table.matchAll(/<table:table-row([^>]*?)(?:\/>|>([^]*?)<\/table:table-row>)/g)].flatMap(
    ([, attributes, row = '']) => {
      const cells = [
        ...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>([^]*?)<\/table:table-cell>)/g),
      ].flatMap(([, of, content = '']) => {
        const get = (name) => new RegExp(`${name}="([^"]*)"`).exec(of)?.[1];
        const text = [...content.matchAll(/<text:p[^>]*?(?:\/>|>([^]*?)<\/text:p>)/g)]
          .map(([, part = '']) => plain(part))
          .join('\n');
        const cell = {
          type: get('office:value-type'),
          value: get('office:value'),
          date: get('office:date-value'),
          formula: get('table:formula'),
          text,
        };
        return Array.from({ length: Math.min(Number(get('number-columns-repeated') ?? 1), 50) }, () => cell);
      });
      const repeated = Number(/number-rows-repeated="(\d+)"/.exec(attributes)?.[1] ?? 1);
      return Array.from({ length: Math.min(repeated, 2) }, () => cells);
    },
  );
}

function plain(xml) {
  return xml
    .replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count = '1') => ' '.repeat(Number(count)))
    .replace(/<text:tab\/>/g, '\t')
    .replace(/<text:line-break\/>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(
      /&(lt|gt|quot|apos|amp);/g,
      (_, name) => ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' })[name],
    );
}

/** Without the apostrophes that say that something is text. */
const bare = (text) => text.replace(/(^|[,;|\t\r\n])'/g, '$1');
const digits = (decimal) => BigInt(decimal.replace('.', '').padEnd(1, '0'));
const places = (decimal) => (decimal.split('.')[1] ?? '').length;
/** Exact, at 18 places. */
const units = (decimal) => digits(decimal) * 10n ** BigInt(18 - places(decimal));

function compare(rows, timeZone, isWorkbook) {
  const [head, ...lines] = rows;
  expect(head?.[0]?.text.endsWith(`(${timeZone})`), `the head of dates names the zone: ${head?.[0]?.text}`);
  const sums = new Map();
  for (const [index, row] of ROWS.entries()) {
    const at = `row ${index + 1}, ${JSON.stringify(row['sheet.reference'])}`;
    const [date, reference, currency, amount, count, note] = lines[index] ?? [];
    for (const cell of lines[index] ?? [])
      expect(cell.formula === undefined, `${at}: a formula ran: ${cell.formula}`);
    const wall = wallClock(row['sheet.paid-at'], timeZone).toISOString().slice(0, 19);
    expect(
      date?.type === 'date' && date.date?.slice(0, 19) === wall,
      `${at}: ${JSON.stringify(date)} is not ${wall}`,
    );
    expect(reference?.type === 'string', `${at}: is no text: ${JSON.stringify(reference)}`);
    const shown = isWorkbook ? reference.text : bare(reference.text);
    const sent = isWorkbook ? row['sheet.reference'] : bare(row['sheet.reference']);
    expect(shown === sent, `${at}: shows ${JSON.stringify(reference.text)}`);
    expect(currency?.text === row['sheet.currency'], `${at}: ${currency?.text}`);
    expect(count?.value === row['sheet.attempts'], `${at}: counts ${count?.value}`);
    const exact = row['sheet.amount'];
    const isText = LONG.includes(exact);
    expect(amount?.type === (isText ? 'string' : 'float'), `${at}: ${JSON.stringify(amount)} of ${exact}`);
    if (isText)
      expect(bare(amount.text).replace(',', '.') === exact, `${at}: ${amount.text} is not ${exact}`);
    else expect(Number(amount.value) === Number(exact), `${at}: ${amount.value} is not ${exact}`);
    expect(((note?.text ?? '') !== '') === isText, `${at}: the note is ${JSON.stringify(note?.text)}`);
    sums.set(currency.text, (sums.get(currency.text) ?? 0n) + units(exact));
  }
  const totals = lines.slice(ROWS.length).filter((line) => (line[2]?.text ?? '') !== '');
  expect(totals.length === sums.size, `${totals.length} totals of ${sums.size} currencies`);
  for (const [, , currency, amount] of totals) {
    const shown =
      amount.type === 'float' ? Number(amount.value).toFixed(2) : bare(amount.text).replace(',', '.');
    expect(units(shown) === sums.get(currency.text), `the total of ${currency.text} is ${shown}`);
  }
}

const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-sheets-'));
try {
  const isInstalled = await run('soffice', ['--version']).catch(() => null);
  if (!isInstalled) {
    process.stdout.write('SKIPPED: LibreOffice is not installed (apt-get install libreoffice-calc-nogui)\n');
  } else {
    for (const [locale, language, timeZone] of READERS) {
      const folder = kept ? path.resolve(kept) : path.join(work, locale);
      await mkdir(folder, { recursive: true });
      const separator =
        (await written('csv', locale, timeZone)).includes(';') && locale !== 'en-US' ? 59 : 44;
      // Text delimiter, UTF-8, from the first line, the language, quoted fields as they are, special numbers recognized.
      const filter = [`--infilter=CSV:${separator},34,76,1,,${language},false,true`];
      for (const format of ['csv', 'xlsx'])
        await check(`the ${format} file in ${locale}: every cell is what was written`, async () => {
          const file = path.join(folder, `${locale}-${format}.${format}`);
          await writeFile(file, await written(format, locale, timeZone));
          const options = format === 'csv' ? filter : [];
          compare(
            readTable(await readFile(await convert(file, 'fods', work, locale, options), 'utf8')),
            timeZone,
            format === 'xlsx',
          );
          if (kept) await convert(file, 'html', folder, locale, options);
        });
    }
    await check('a workbook that was cut cannot be opened', async () => {
      const whole = await written('xlsx', 'en-US', 'UTC');
      const file = path.join(work, 'cut.xlsx');
      await writeFile(file, whole.subarray(0, whole.length - 200));
      const isOpened = await convert(file, 'fods', work, 'en-US')
        .then((made) => readFile(made, 'utf8'))
        .catch(() => null);
      expect(isOpened === null, 'LibreOffice has opened it');
    });
  }
} finally {
  await rm(work, { recursive: true, force: true });
}
finish();
