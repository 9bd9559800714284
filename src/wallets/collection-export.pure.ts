import {
  CollectionError,
  collectionsOf,
  type Collection,
  type ExportedDeposit,
  findDepositOf,
} from './collection.pure.js';
import { COLLECTOR_FACTORY, TreasuryError } from './treasury/treasury-address.pure.js';

/** What a file of deposits comes to. */
export interface PreparedExport {
  collections: Collection[];
  /** Rows that nothing is collected from. */
  refused: { row: number; address: string; reason: string }[];
}

const COLUMNS = ['address', 'index', 'namespace', 'treasury', 'factory', 'tokens'] as const;
type Column = (typeof COLUMNS)[number];

/** Rows of a file; more would not fit into a page. */
const MAX_ROWS = 100_000;

/**
 * Computes every address of a file again, and prepares the collection of those that match.
 * @param text CSV with a line of names, or a JSON list; of one chain
 * @param ownFactory a contract that collects, other than the known one, which the reader trusts
 * @throws CollectionError
 */
export function prepareExport(text: string, ownFactory?: string): PreparedExport {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const rows = trimmed.startsWith('[') || trimmed.startsWith('{') ? fromJson(trimmed) : fromCsv(trimmed);
  if (rows.length === 0) throw new CollectionError('The file has no rows.');
  if (rows.length > MAX_ROWS) throw new CollectionError(`The file has more than ${MAX_ROWS} rows: split it.`);
  const chains = new Set(rows.map(({ blockchain = '' }) => blockchain));
  if (chains.size > 1)
    throw new CollectionError(
      `The file has rows of several chains (${[...chains].join(', ')}): keep those of one.`,
    );
  const trusted = [COLLECTOR_FACTORY, ownFactory ?? ''].map((one) => one.trim().toLowerCase());
  const refused: PreparedExport['refused'] = [];
  const deposits = rows.flatMap((fields, i) => {
    const refuse = (reason: string): [] => {
      refused.push({ row: i + 1, address: fields.address ?? '', reason });
      return [];
    };
    const row = readRow(fields);
    if (typeof row === 'string') return refuse(row);
    if (!trusted.includes(row.factory.toLowerCase()))
      return refuse('factory: is not the known contract; name it below if it is your own');
    try {
      const deposit = findDepositOf(row);
      if (!deposit) return refuse('address: is not the one with this index of this treasury');
      // Alone first: a token that is none concerns its row.
      collectionsOf([deposit]);
      return [deposit];
    } catch (error) {
      if (error instanceof TreasuryError || error instanceof CollectionError) return refuse(error.message);
      throw error;
    }
  });
  return { collections: collectionsOf(deposits), refused };
}

type Fields = Partial<Record<Column | 'blockchain', string>>;

/** The row, or what is wrong with it. */
function readRow({ tokens = '', index = '', ...fields }: Fields): ExportedDeposit | string {
  const { address, namespace, treasury, factory } = fields;
  if (!address || !namespace || !treasury || !factory) {
    const missing = COLUMNS.find((name) => name !== 'tokens' && name !== 'index' && !fields[name]);
    return `${missing}: is missing`;
  }
  if (!/^\d{1,16}$/.test(index)) return 'index: must be an integer';
  const list = tokens.split(/[\s|]+/).filter((token) => token !== '');
  return { address, index: Number(index), namespace, treasury, factory, tokens: list };
}

function fromJson(text: string): Fields[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new CollectionError(`The file is no valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (!Array.isArray(parsed)) throw new CollectionError('The JSON must be a list of rows.');
  return parsed.map((item: unknown, i) => {
    if (typeof item !== 'object' || item === null) throw new CollectionError(`Row ${i + 1} is no object.`);
    const entries = Object.entries(item).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value)
        ? value.map(String).join(' ')
        : ['string', 'number'].includes(typeof value)
          ? String(value)
          : '',
    ]);
    return Object.fromEntries(entries) as Fields;
  });
}

function fromCsv(text: string): Fields[] {
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  const separator = ['\t', ';', ','].find((one) => firstLine.includes(one)) ?? ',';
  const [head = [], ...rows] = rowsOf(text, separator).filter((cells) => cells.some((cell) => cell !== ''));
  const names = head.map((name) => name.toLowerCase());
  const missing = COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new CollectionError(`The first line must name the columns; missing: ${missing.join(', ')}.`);
  return rows.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])) as Fields);
}

/** RFC 4180: what stands in quotes may have separators, line breaks and doubled quotes, as a reference may. */
function rowsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    // Spreadsheets mark texts so that they are not computed.
    cells.push(cell.trim().replace(/^'/, ''));
    cell = '';
  };
  const endRow = () => {
    endCell();
    rows.push(cells);
    cells = [];
  };
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(i + 1) === '"') cell += text.charAt(++i);
      else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') isQuoted = true;
    else if (character === separator) endCell();
    else if (character === '\n' || character === '\r') endRow();
    else cell += character;
  }
  if (isQuoted) throw new CollectionError('The last quote of the file is not closed: it was cut.');
  endRow();
  return rows;
}
