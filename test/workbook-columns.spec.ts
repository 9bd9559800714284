import { readXlsx } from 'hucre/xlsx';
import { readFileSync } from 'node:fs';
import { PAYMENT_SHEET, TRANSFER_SHEET } from '../src/payments/export/payment-sheets.service.js';
import { REFUND_SHEET } from '../src/refunds/export/refund-exports.service.js';
import { LOCALES } from '../src/platform/kernel/i18n/locale.pure.js';
import { type MessageKey, textsOf } from '../src/platform/kernel/i18n/texts.js';
import { sheetFormatOf, type SheetKind } from '../src/platform/kernel/sheet-format.pure.js';
import { workbook } from '../src/platform/web/http/workbook.js';

const WORDS = Object.keys(JSON.parse(readFileSync('web/messages/en.json', 'utf8')) as object).filter((key) =>
  /^(month|sheet\.(payment|transfer|refund|delivery))[.-]/.test(key),
) as MessageKey[];
/** Statuses and kinds, in every language. */
const LONGEST_WORD = LOCALES.flatMap((locale) => WORDS.map((key) => textsOf(locale).text(key))).reduce(
  (longest, word) => (word.length > longest.length ? word : longest),
);
/** The longest of each kind that people are likely to have; a text that is cut at the next cell can look like another one. */
const LONGEST: Record<SheetKind, string> = {
  text: 'ORDER-2026-11-30-0042',
  word: LONGEST_WORD,
  id: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  hash: `0x${'4d'.repeat(32)}`,
  amount: '12345678.123456789012345678',
  count: '12345',
  instant: '30/11/2026 23:59:59',
};

async function widthsOf(titles: string[], kinds: SheetKind[]): Promise<(number | undefined)[]> {
  const numbers = sheetFormatOf('en');
  if (!numbers) throw new Error('English is a language');
  const rows = async function* () {
    yield [{ text: 'x' }];
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of workbook(rows(), { name: 'x', titles, kinds, numbers })) chunks.push(chunk);
  const { sheets } = await readXlsx(Buffer.concat(chunks));
  return (sheets[0]?.columns ?? []).map(({ width }) => width);
}

describe.each(LOCALES)('the columns of a workbook in %s', (locale) => {
  it.each([TRANSFER_SHEET, PAYMENT_SHEET, REFUND_SHEET])(
    'show what $name have, and their heads',
    async ({ columns }) => {
      const titles = Object.entries(columns).map(([key, kind]) => {
        const head = textsOf(locale).text(key as MessageKey);
        return kind === 'instant' ? `${head} (America/New_York)` : head;
      });
      const kinds: SheetKind[] = Object.values(columns);
      const widths = await widthsOf(titles, kinds);
      expect(widths).toHaveLength(kinds.length);
      for (const [index, kind] of kinds.entries())
        expect(widths[index]).toBeGreaterThan(Math.max(LONGEST[kind].length, titles[index]?.length ?? 0));
    },
  );
});
