import { ChainInconsistencyError, type TransferCandidate } from '../chain-adapter.pure.js';
import { LazyJsonArray } from '../lazy-json-array.js';
import { readTransferLog, TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';
import { type EvmHeader, toBytes, toHash, toList, toLog, toObject } from './evm-wire.pure.js';
import { LazyLogParser } from './lazy-log-parser.js';
import { encodeReceipt } from './receipt-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

type Json = Record<string, unknown>;

/** What the receipts of a block show. */
export interface ShownReceipts {
  receipts: readonly Json[];
  /** Transfers of the listed tokens. */
  candidates: TransferCandidate[];
  /** Receipts before the first one with a log that is not at the next place of its block. */
  gapless: number;
}

/**
 * Reads all receipts of a block, with their logs parsed or not.
 * @throws ChainInconsistencyError when they are not of exactly its transactions
 */
export function readReceipts(header: EvmHeader, reply: unknown, tokens: ReadonlySet<string>): ShownReceipts {
  const receipts = toList(reply, 'receipt list').map((one) => toObject(one, 'receipt'));
  const isOfBlock = receipts.every(
    (one, i) =>
      toHash(one['transactionHash'], 'receipt transaction hash') === header.transactionHashes[i] &&
      toHash(one['blockHash'], 'receipt block hash') === header.hash,
  );
  if (!isOfBlock || receipts.length !== header.transactionHashes.length)
    throw new ChainInconsistencyError('the node sent receipts of another block');
  const reader = new LogReader(header, tokens);
  receipts.forEach((one, i) => reader.read(one['logs'], header.transactionHashes[i] ?? '', i));
  return { receipts, candidates: reader.candidates, gapless: reader.gapAt ?? receipts.length };
}

/**
 * What of the receipts the header does not cover, in words; null when it covers them. A log that was left out leaves a
 * gap in the places of the logs, or a bit of the header's bloom filter that no receipt has; what a node makes up without a
 * gap has another root.
 * @param isProven whether the root is recomputed as well, which takes as long as everything else together
 */
export function findMisfit(
  header: Pick<EvmHeader, 'logsBloom'>,
  receiptsRoot: unknown,
  { receipts, gapless }: Pick<ShownReceipts, 'receipts' | 'gapless'>,
  isProven: boolean,
): string | null {
  const of = (count: number) => {
    const leading = receipts.slice(0, count);
    if (gapless < count) return 'a log is missing between others';
    if (!unionOf(leading).equals(header.logsBloom)) return 'the logs are not those of the bloom filter';
    if (!isProven) return null;
    return orderedTrieRoot(leading.map(encoded)) === receiptsRoot
      ? null
      : 'the root is that of other receipts';
  };
  const why = of(receipts.length);
  // Polygon's nodes append a state sync, which the header did not cover before the upgrade Madhugiri.
  return why !== null && receipts.length > 1 && of(receipts.length - 1) === null ? null : why;
}

function encoded(receipt: Json): Buffer {
  const { logs } = receipt;
  return encodeReceipt(logs instanceof LazyJsonArray ? { ...receipt, logs: logs.parseAll() } : receipt);
}

/** Bits of all receipts' bloom filters. */
function unionOf(receipts: readonly Json[]): Buffer {
  const union = Buffer.alloc(256);
  for (const { logsBloom, logs } of receipts) {
    if (logs instanceof LazyJsonArray || (Array.isArray(logs) && logs.length > 0)) {
      const bloom = toBytes(logsBloom, 'receipt bloom');
      for (let i = 0; i < union.length; i++) union[i] = (union[i] ?? 0) | (bloom[i] ?? 0);
    }
  }
  return union;
}

/** Reads the logs of one block, in their order. */
class LogReader {
  readonly candidates: TransferCandidate[] = [];
  /** Number of the first receipt with a log at a wrong place. */
  gapAt: number | null = null;
  private place = 0;
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
