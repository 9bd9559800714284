import type { MessageKey, Texts, TextValues } from './i18n/texts.js';
import { isSheetNumber, type SheetCell, type SheetKind } from './sheet-format.pure.js';
import { wallClock } from './zone-days.pure.js';

/** The columns of a file for people in their order: what each has, by the message that heads it. */
export type SheetColumns = Partial<Record<MessageKey, SheetKind>>;
type ValueOf<Kind> = Kind extends 'instant' ? Date : Kind extends 'word' ? MessageKey : string;
/** A row: amounts as exact decimal text. */
export type SheetRow<Columns extends SheetColumns = SheetColumns> = {
  readonly [Key in keyof Columns]: ValueOf<Columns[Key]> | null;
} & { readonly note?: SheetNote };
/** What the last column says about a row. */
export interface SheetNote {
  text: MessageKey;
  values: TextValues;
}
/** Who reads a file: their words, and their clock. */
export interface SheetReader {
  texts: Pick<Texts, 'text'>;
  timeZone: string;
}

/** Columns that are added up, by a column of texts: nothing of two currencies can be. */
export interface SheetSum {
  by: readonly MessageKey[];
  of: readonly MessageKey[];
}

/** A file for people: its columns, and what is added up below them. */
export interface Sheet<Columns extends SheetColumns = SheetColumns> {
  /** Of the file and the table in it, e.g. `payments`. */
  name: string;
  /** It says which span the file is about; that of others has the day on which it was written. */
  hasSpan?: boolean;
  columns: Columns;
  sums: readonly SheetSum[];
}

/** The cells of a row, and what its last one says. */
export function cellsOf(columns: SheetColumns, row: SheetRow, { texts, timeZone }: SheetReader): SheetCell[] {
  const cells = Object.entries(columns).map(([key, kind]): SheetCell => {
    const value = row[key as MessageKey] ?? null;
    if (value === null) return null;
    if (value instanceof Date) return { wall: wallClock(value, timeZone) };
    if (kind === 'word') return { text: texts.text(value as MessageKey) };
    if (kind !== 'amount' && kind !== 'count') return { text: value };
    return isSheetNumber(value) ? { amount: value } : { exact: value };
  });
  const notes = [
    ...(row.note ? [texts.text(row.note.text, row.note.values)] : []),
    ...(cells.some((cell) => cell && 'exact' in cell) ? [texts.text('sheet.text-amounts')] : []),
  ];
  return [...cells, notes.length > 0 ? { text: notes.join(' ') } : null];
}

/** Adds up the columns of a file while its rows are written, exactly. */
export class SheetTotals {
  /** By the place of the sum, then by the texts that it is by, then by column. */
  private readonly sums: Map<string, Map<MessageKey, Exact>>[];

  constructor(private readonly sheet: Pick<Sheet, 'sums'>) {
    this.sums = sheet.sums.map(() => new Map());
  }

  add(row: SheetRow): void {
    for (const [place, { by, of }] of this.sheet.sums.entries()) {
      const key = by.map((name) => row[name]);
      const amounts = of.filter((column) => row[column] !== null && row[column] !== undefined);
      if (key.some((text) => typeof text !== 'string') || amounts.length === 0) continue;
      const found = this.sums[place]?.get(JSON.stringify(key)) ?? new Map<MessageKey, Exact>();
      for (const column of amounts)
        found.set(column, plus(found.get(column) ?? { units: 0n, places: 0 }, exactOf(String(row[column]))));
      this.sums[place]?.set(JSON.stringify(key), found);
    }
  }

  /** A row for each sum: by currency or coin, under the kinds in the order in which the file has them. */
  rows(): SheetRow[] {
    return this.sheet.sums.flatMap(({ by }, place) => {
      const found = [...(this.sums[place] ?? [])].map(([key, sums]) => {
        const texts = JSON.parse(key) as string[];
        return { kind: texts.slice(0, -1).join('\n'), last: texts.at(-1) ?? '', texts, sums };
      });
      const kinds = [...new Set(found.map(({ kind }) => kind))];
      return found
        .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || (a.last < b.last ? -1 : 1))
        .map(({ texts, sums }) => ({
          ...Object.fromEntries(by.map((name, index) => [name, texts[index] ?? null])),
          ...Object.fromEntries([...sums].map(([column, sum]) => [column, decimalOf(sum)])),
        }));
    });
  }
}

/** `units` of ten to the power of minus `places`. */
interface Exact {
  units: bigint;
  places: number;
}

function exactOf(decimal: string): Exact {
  const [whole = '', fraction = ''] = decimal.split('.');
  return { units: BigInt(whole + fraction), places: fraction.length };
}

function plus(a: Exact, b: Exact): Exact {
  const places = Math.max(a.places, b.places);
  const scaled = ({ units, places: own }: Exact) => units * 10n ** BigInt(places - own);
  return { units: scaled(a) + scaled(b), places };
}

function decimalOf({ units, places }: Exact): string {
  if (places === 0) return units.toString();
  const digits = units.toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
