import {
  CATCH_UP_FROM,
  ChainInconsistencyError,
  type ObservedBlock,
  type TransferCandidate,
} from '../chain-adapter.pure.js';
import type { JsonRpc, RpcCall } from '../json-rpc.js';
import { readBlocksConcurrently } from '../read-blocks-concurrently.pure.js';
import { AdaptiveRange } from '../adaptive-range.js';
import { LazyJsonArray } from '../lazy-json-array.js';
import type { BlockTransfers } from './block-receipts.js';
import type { EvmBlocks, ShownBlock } from './evm-blocks.js';
import type { EvmCapabilities } from './evm-capabilities.js';
import { readTransferLog, TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';
import { type EvmHeader, toList, toLog } from './evm-wire.pure.js';
import { LazyLogParser } from './lazy-log-parser.js';
import {
  hex,
  type NativeCapability,
  nativeCall,
  readNativeMoves,
  nativeCandidate,
} from './native-transfers.js';

/** Blocks read concurrently when the node supports no ranges. */
const ONE_BY_ONE = 8;

/** From this many blocks on, a log query for all of them and its check are fewer requests than one for each. */
export const LOGS_TOGETHER = 4;

/** Features that decide how a range is read. */
type RangeCapabilities = Pick<EvmCapabilities, 'native' | 'logRange' | 'blockReceipts'>;

/** Methods of the adapter for single blocks. */
export interface BlockSource {
  block(height: number): Promise<ObservedBlock | null>;
  /** @param shown contracts whose logs the node sent for the block */
  refuseMissingLogs(header: EvmHeader, shown: ReadonlySet<string>): Promise<void>;
  /** @returns whether the header is proven by its hash @throws ChainInconsistencyError when it is another one's */
  refuseForged(block: ShownBlock): Promise<boolean>;
  /** By its bloom filter: false is certain if the header is proven. */
  mayHoldTransfers(header: EvmHeader): boolean;
  /** Token transfers of each block, from its receipts. */
  receipts(blocks: readonly ShownBlock[], isNear: boolean): Promise<BlockTransfers[]>;
}

/** A block that is being assembled. */
interface Page {
  block: ShownBlock;
  header: EvmHeader;
  transactions: ReadonlySet<string>;
  logs: TransferCandidate[];
  /** Contracts whose logs the node has sent. */
  shown: Set<string>;
  native: TransferCandidate[];
}

/** Logs of one response, parsed or not. */
type LogList = unknown[] | LazyJsonArray;

/**
 * Reads blocks in ranges, for catching up: one batch of headers, one log query, one batch of traces. As with a single
 * block, every part is checked against the block's hash, and a mismatch rejects the whole range. The length of a range
 * adapts to the node, because hosted nodes cap blocks, logs, bytes and time in different ways.
 */
export class EvmRanges {
  private readonly sizer: AdaptiveRange;

  constructor(
    private readonly rpc: JsonRpc,
    private readonly chain: string,
    private readonly tokens: ReadonlySet<string>,
    private readonly shown: EvmBlocks,
    private readonly source: BlockSource,
  ) {
    this.sizer = new AdaptiveRange(rpc.clock);
  }

  /** At least one block, or none above the tip. */
  async read(from: number, count: number, capabilities: RangeCapabilities): Promise<ObservedBlock[]> {
    return this.sizer.run(
      count,
      (asked) => this.readRange(from, asked, capabilities, count <= CATCH_UP_FROM),
      () => readBlocksConcurrently(this.source, from, Math.min(ONE_BY_ONE, count)),
    );
  }

  private async readRange(
    from: number,
    count: number,
    { native, logRange, blockReceipts }: RangeCapabilities,
    isNear: boolean,
  ): Promise<{ blocks: ObservedBlock[]; rows: number }> {
    const pages = await this.pages(from, count, native);
    const busy = pages.filter(({ header }) => header.transactionHashes.length > 0);
    const unproven = isNear ? await this.unproven(pages) : new Set(pages);
    const promising = busy.filter((page) => unproven.has(page) || this.source.mayHoldTransfers(page.header));
    const untraced = native === 'transactions' ? [] : busy;
    const [logs, traces] = await Promise.all([
      blockReceipts ? this.receipts(promising, isNear) : this.logs(busy, logRange),
      this.rpc.batch(untraced.map(({ header }) => nativeCall(native, header))),
    ]);
    untraced.forEach((page, i) => {
      page.native = readNativeMoves(native, page.header, traces[i]).map((move) =>
        nativeCandidate(move, native),
      );
    });
    for (const { header, shown } of pages) {
      if (!blockReceipts || header.transactionHashes.length === 0)
        await this.source.refuseMissingLogs(header, shown);
    }
    const moved = busy.reduce((sum, page) => sum + page.native.length, 0);
    return { blocks: pages.map(toBlock), rows: logs + moved };
  }

  /** The leading blocks that form one chain. */
  private async pages(from: number, count: number, native: NativeCapability): Promise<Page[]> {
    const pages: Page[] = [];
    for (const block of await this.shown.readRange(from, count, native)) {
      const { header, moves } = block;
      const before = pages.at(-1);
      if (before && before.header.hash !== header.parentHash) break;
      const page = pageOf(block, new Set(header.transactionHashes));
      page.native = moves?.map((move) => nativeCandidate(move, native)) ?? [];
      pages.push(page);
    }
    return pages;
  }

  /** Those whose header is not proven by its hash. */
  private async unproven(pages: readonly Page[]): Promise<Set<Page>> {
    const unproven = new Set<Page>();
    for (const page of pages) if (!(await this.source.refuseForged(page.block))) unproven.add(page);
    return unproven;
  }

  /** Adds the token transfers that the receipts show. @returns how many logs these have, of any contract */
  private async receipts(pages: readonly Page[], isNear: boolean): Promise<number> {
    if (this.tokens.size === 0) return 0;
    const found = await this.source.receipts(
      pages.map(({ block }) => block),
      isNear,
    );
    pages.forEach((page, i) => (page.logs = found[i]?.candidates ?? []));
    return found.reduce((sum, { logs }) => sum + logs, 0);
  }

  /** Adds the transfer logs of the listed tokens to their blocks. @returns how many */
  private async logs(pages: readonly Page[], logRange: number): Promise<number> {
    const [first, last] = [pages[0], pages.at(-1)];
    if (this.tokens.size === 0 || !first || !last) return 0;
    const span = last.header.height - first.header.height + 1;
    const isEach = logRange < 2 || pages.length < LOGS_TOGETHER;
    const lists = isEach
      ? await this.askEach(pages)
      : await this.askRange(first.header.height, last.header.height, Math.min(span, logRange));
    const byHash = new Map(pages.map((page) => [page.header.hash, page]));
    for (const list of lists) this.putAll(list, byHash);
    if (!isEach) await this.refuseCut(pages);
    return lists.reduce((sum, list) => sum + list.length, 0);
  }

  /** A single call where one suffices, because its response can stay unparsed. */
  private async askRange(from: number, to: number, span: number): Promise<LogList[]> {
    const starts = Array.from({ length: Math.ceil((to - from + 1) / span) }, (_, i) => from + i * span);
    const calls = starts.map((start): RpcCall => {
      const range = { fromBlock: hex(start), toBlock: hex(Math.min(to, start + span - 1)) };
      return ['eth_getLogs', [{ ...range, ...this.filter }]];
    });
    const [only] = calls;
    const replies =
      only && calls.length === 1
        ? [await this.rpc.callForList(only[0], ...only[1])]
        : await this.rpc.batch(calls);
    return replies.map(toLogList);
  }

  private async askEach(pages: readonly Page[]): Promise<LogList[]> {
    const replies = await this.rpc.batch(
      pages.map(({ header }) => ['eth_getLogs', [{ blockHash: header.hash, ...this.filter }]]),
    );
    return replies.map(toLogList);
  }

  private get filter() {
    return { address: [...this.tokens], topics: [TRANSFER_TOPIC] };
  }

  private putAll(list: LogList, pages: ReadonlyMap<string, Page>): void {
    if (!(list instanceof LazyJsonArray)) return list.forEach((row) => this.put(row, pages));
    const skimmer = new LazyLogParser(list);
    list.each((start, end) => {
      const log = skimmer.read(start, end);
      const page = log && pages.get(log.blockHash);
      // Anything unusual is parsed, which detects errors.
      if (!log || !this.tokens.has(log.asset) || !page?.transactions.has(log.txHash))
        return this.put(list.parse(start, end), pages);
      page.shown.add(log.asset);
      if (log.movesNothing) return;
      page.logs.push(skimmer.candidate(log.asset, log.txHash, log.recipient, start, end));
    });
  }

  /** @throws ChainInconsistencyError when the log was not requested */
  private put(row: unknown, pages: ReadonlyMap<string, Page>): void {
    const log = toLog(row);
    const page = pages.get(log.blockHash);
    const isAsked = this.tokens.has(log.address) && log.topics[0] === TRANSFER_TOPIC;
    if (!isAsked || !page?.transactions.has(log.transactionHash))
      throw this.wrong('sent a log that was not asked for');
    page.shown.add(log.address);
    const candidate = readTransferLog(log, this.tokens);
    if (candidate) page.logs.push(candidate);
  }

  /**
   * Some nodes silently truncate a long response. Blocks whose logs are all missing are detected by their bloom filter;
   * for the block in which the list was cut, this reads the logs of the outermost blocks with logs again, by hash.
   */
  private async refuseCut(pages: readonly Page[]): Promise<void> {
    const filled = pages.filter(({ shown }) => shown.size > 0);
    const outermost = [...new Set([filled[0], filled.at(-1)])].flatMap((page) => page ?? []);
    await Promise.all(
      outermost.map(async ({ block, header, transactions, logs }) => {
        const copy = pageOf(block, transactions);
        const list = await this.rpc.callForList('eth_getLogs', { blockHash: header.hash, ...this.filter });
        this.putAll(toLogList(list), new Map([[header.hash, copy]]));
        if (copy.logs.length !== logs.length) throw this.wrong(`left out logs of block ${header.height}`);
      }),
    );
  }

  private wrong(what: string): ChainInconsistencyError {
    return new ChainInconsistencyError(`${this.chain}: the node ${what}`);
  }
}

function toLogList(reply: unknown): LogList {
  return reply instanceof LazyJsonArray ? reply : toList(reply, 'log list');
}

function pageOf(block: ShownBlock, transactions: ReadonlySet<string>): Page {
  return { block, header: block.header, transactions, logs: [], shown: new Set(), native: [] };
}

function toBlock({ header, logs, native }: Page): ObservedBlock {
  const { height, hash, parentHash, time } = header;
  return { height, hash, parentHash, time, candidates: [...native, ...logs] };
}
