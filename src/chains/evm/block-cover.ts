import { ChainInconsistencyError, type TransferCandidate } from '../chain-adapter.pure.js';
import { LazyJsonArray } from '../lazy-json-array.js';
import { bloomOf } from './evm-bloom.pure.js';
import { readTransferLog, TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';
import { type EvmHeader, MalformedError, toBytes, toHash, toList, toLog, toObject } from './evm-wire.pure.js';
import { LazyLogParser } from './lazy-log-parser.js';
import { encodeReceipt } from './receipt-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

type Json = Record<string, unknown>;

/**
 * How far receipts are checked: by the bloom filters that they show, which is as quick as reading them; by the filter of
 * their logs; or by the root, which covers every byte where the encoding is known, and takes as long as all the rest.
 */
export type CoverDepth = 'filters' | 'logs' | 'root';

/** Logs of the last receipt up to which a shown filter is compared with them: hashing more would slow down catch-up. */
const HASHED_LOGS = 16;

/** What the receipts of a block show. */
export interface ShownReceipts {
  receipts: readonly Json[];
  /** Transfers of the listed tokens. */
  candidates: TransferCandidate[];
  /** How many logs there are, of any contract. */
  logs: number;
  /** Receipts before the first one with a log that is not at the next place of its block. */
  gapless: number;
  /** Whether a receipt at the end need not be covered: the state sync that Polygon's nodes append. */
  mayEndUncovered: boolean;
}

/**
 * Reads all receipts of a block, with their logs parsed or not.
 * @param mayEndUncovered whether the last transaction may have no receipt, as a state sync of Polygon
 * @throws ChainInconsistencyError when they are not of exactly its transactions
 */
export function readReceipts(
  header: EvmHeader,
  reply: unknown,
  tokens: ReadonlySet<string>,
  mayEndUncovered = false,
): ShownReceipts {
  const receipts = toList(reply, 'receipt list').map((one) => toObject(one, 'receipt'));
  const hashes = header.transactionHashes;
  const isOfBlock = receipts.every(
    (one, i) =>
      toHash(one['transactionHash'], 'receipt transaction hash') === hashes[i] &&
      toHash(one['blockHash'], 'receipt block hash') === header.hash,
  );
  const left = hashes.length - receipts.length;
  if (!isOfBlock || (left !== 0 && !(mayEndUncovered && left === 1)))
    throw new ChainInconsistencyError('the node sent receipts of another block');
  const reader = new LogReader(header, tokens);
  receipts.forEach((one, i) => reader.read(one['logs'], hashes[i] ?? '', i));
  const { candidates, place, gapAt } = reader;
  return { receipts, candidates, logs: place, gapless: gapAt ?? receipts.length, mayEndUncovered };
}

/**
 * What of the receipts the header does not cover, in words; null when it covers them. A log that was left out leaves a
 * gap in the places of the logs, or a bit of the header's bloom filter that no receipt has; what a node makes up without a
 * gap has another root.
 */
export function findMisfit(
  header: Pick<EvmHeader, 'logsBloom'>,
  receiptsRoot: unknown,
  { receipts, gapless, mayEndUncovered }: Omit<ShownReceipts, 'candidates' | 'logs'>,
  depth: CoverDepth,
): string | null {
  const of = (count: number) => {
    const leading = receipts.slice(0, count);
    if (gapless < count) return 'a log is missing between others';
    const filter = depth === 'logs' ? filterOf(leading) : unionOf(leading);
    if (!filter.equals(header.logsBloom)) return 'the logs are not those of the bloom filter';
    if (depth === 'filters' && isLastCut(leading)) return 'a log is missing at the end';
    if (depth !== 'root') return null;
    return orderedTrieRoot(leading.map(encoded)) === receiptsRoot
      ? null
      : 'the root is that of other receipts';
  };
  try {
    const why = of(receipts.length);
    // Before the upgrade Madhugiri the header did not cover a state sync.
    const hasEnd = why !== null && mayEndUncovered && receipts.length > 1;
    return hasEnd && of(receipts.length - 1) === null ? null : why;
  } catch (error) {
    // A form that is not known here, such as a receipt without a filter.
    if (error instanceof ChainInconsistencyError) return error.message;
    throw error;
  }
}

/** Whether the header's bloom filter has a bit that none of the logs has: an upgrade may drop the filter, not add to it. */
export function hasLeftOut(
  { logsBloom }: Pick<EvmHeader, 'logsBloom'>,
  { receipts }: Pick<ShownReceipts, 'receipts'>,
): boolean {
  try {
    const shown = filterOf(receipts);
    return logsBloom.some((bits, i) => (bits & ~(shown[i] ?? 0)) !== 0);
  } catch (error) {
    if (error instanceof MalformedError) return false;
    throw error;
  }
}

function encoded(receipt: Json): Buffer {
  return encodeReceipt({ ...receipt, logs: logsOf(receipt) });
}

function logsOf({ logs }: Json): unknown[] {
  return logs instanceof LazyJsonArray ? logs.parseAll() : toList(logs, 'receipt logs');
}

function countLogs({ logs }: Json): number {
  return logs instanceof LazyJsonArray || Array.isArray(logs) ? logs.length : 0;
}

/** Bits of all receipts' bloom filters. */
function unionOf(receipts: readonly Json[]): Buffer {
  const union = Buffer.alloc(256);
  for (const receipt of receipts) {
    if (countLogs(receipt) === 0) continue;
    const bloom = toBytes(receipt['logsBloom'], 'receipt bloom');
    for (let i = 0; i < union.length; i++) union[i] = (union[i] ?? 0) | (bloom[i] ?? 0);
  }
  return union;
}

/** The bloom filter that the logs themselves have. */
function filterOf(receipts: readonly Json[]): Buffer {
  const values = new Set<string>();
  for (const log of receipts.flatMap(logsOf).map(toLog)) {
    values.add(log.address);
    for (const topic of log.topics) values.add(topic);
  }
  return bloomOf([...values].map((value) => toBytes(value, 'log')));
}

/** Whether the last receipt with logs had more of them: no place tells how many there are. */
function isLastCut(receipts: readonly Json[]): boolean {
  const last = receipts.findLast((one) => countLogs(one) > 0);
  if (!last || countLogs(last) > HASHED_LOGS) return false;
  return !filterOf([last]).equals(toBytes(last['logsBloom'], 'receipt bloom'));
}

/** Reads the logs of one block, in their order. */
class LogReader {
  readonly candidates: TransferCandidate[] = [];
  /** Number of the first receipt with a log at a wrong place. */
  gapAt: number | null = null;
  /** Logs so far, which is the place of the next one. */
  place = 0;
  private parser: LazyLogParser | null = null;

  constructor(
    private readonly header: EvmHeader,
    private readonly tokens: ReadonlySet<string>,
  ) {}

  read(logs: unknown, txHash: string, receipt: number): void {
    if (!(logs instanceof LazyJsonArray)) {
      for (const row of toList(logs, 'receipt logs')) this.parsed(row, txHash, receipt);
      return;
    }
    const parser = (this.parser ??= new LazyLogParser(logs));
    const isGapless = this.isGapless(logs, parser);
    logs.each((start, end) => {
      const log = parser.read(start, end);
      if (isGapless && log?.txHash === txHash && log.blockHash === this.header.hash) {
        this.place++;
        const asset = this.tokens.has(log.asset) ? log.asset : log.asset.toLowerCase();
        if (this.tokens.has(asset) && !log.movesNothing)
          this.candidates.push(parser.candidate(asset, txHash, log.recipient, start, end));
        return;
      }
      const contract = parser.contract(start, end)?.toLowerCase();
      if (isGapless && !log && contract !== undefined && !this.tokens.has(contract)) this.place++;
      // Anything unusual is parsed, which detects errors.
      else this.parsed(logs.parse(start, end), txHash, receipt);
    });
  }

  /** As many logs as there are places from the first to the last: none is missing between them. */
  private isGapless(logs: LazyJsonArray, parser: LazyLogParser): boolean {
    return [0, logs.length - 1].every((i) => {
      const { start, end } = logs.position(i);
      return parser.isAt(this.place + i, start, end);
    });
  }

  private parsed(row: unknown, txHash: string, receipt: number): void {
    const log = toLog(row);
    if (log.transactionHash !== txHash || log.blockHash !== this.header.hash)
      throw new ChainInconsistencyError('the node sent a log in the receipt of another transaction');
    if (log.logIndex !== this.place++) this.gapAt ??= receipt;
    const candidate = log.topics[0] === TRANSFER_TOPIC && readTransferLog(log, this.tokens);
    if (candidate) this.candidates.push(candidate);
  }
}
