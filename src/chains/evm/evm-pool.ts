import { Logger } from '@nestjs/common';
import type { Clock } from '../../platform/runtime/clock.pure.js';
import {
  type BlockHeader,
  type BlockRef,
  type ChainAdapter,
  ChainInconsistencyError,
  type ObservedBlock,
  type ObservedTransaction,
  type ObservedTransfer,
  type TransactionFate,
  type TransferCandidate,
} from '../chain-adapter.pure.js';
import type { Chain } from '../chain.pure.js';
import { type Answer, quorum, hedged } from './hedged-request.js';
import { chooseEndpoints, resolveByVote } from './endpoint-selection.js';
import { bestTip, type Operation } from './endpoint-health.js';
import { EvmAdapter } from './evm-adapter.js';
import { type EndpointReport, EvmEndpoint, NotEligibleError } from './evm-endpoint.js';
import type { JsonRpc } from '../json-rpc.js';
import { findLarge, showsAll } from './quorum-threshold.js';
import type { NewHeads } from './new-heads.js';

/** Milliseconds that an endpoint has before the next is asked the same. */
const HEDGE_DELAY_MS = 1_000;
/** Blocks handed out whose giver is remembered, to markFaulty it should the block not fit. */
const REMEMBERED_BLOCKS = 64;

/**
 * One EVM chain through several endpoints. Each question is answered whole by one of them: a block with its logs
 * and traces comes from one endpoint and is checked against one hash; its receipts may come from another, against
 * the same hash. Who fails, lies or lags is asked last for a while.
 */
export class EvmPool implements ChainAdapter {
  readonly chain: string;
  readonly family = 'evm';
  readonly waitForBlock?: NonNullable<ChainAdapter['waitForBlock']>;
  private readonly logger = new Logger('EvmPool');
  private readonly endpoints: readonly EvmEndpoint[];
  private readonly givers = new WeakMap<ObservedBlock, EvmEndpoint>();
  private readonly given = new Map<number, { parentHash: string; by: EvmEndpoint }>();
  private lastTip: (BlockRef & { by: EvmEndpoint }) | null = null;
  private lastDispute: string | null = null;

  /**
   * @param nodes in the operator's order: the first is asked first
   * @param heads wake-ups from some of them, or from none
   */
  constructor(
    private readonly settings: Chain,
    nodes: readonly JsonRpc[],
    private readonly clock: Clock,
    private readonly hedgeDelayMs = HEDGE_DELAY_MS,
    heads: readonly NewHeads[] = [],
  ) {
    this.chain = settings.slug;
    if (heads.length > 0) {
      // Whoever hears of it first; one that offers no such thing is no trouble while another does.
      this.waitForBlock = (maxMs, signal) => Promise.any(heads.map((one) => one.wait(maxMs, signal)));
    }
    this.endpoints = nodes.map((rpc, i) => new EvmEndpoint(i + 1, new EvmAdapter(settings, rpc), clock));
  }

  report(): EndpointReport[] {
    const used = this.usable();
    const best = bestTip(
      used.map(({ health }) => health),
      this.now(),
    );
    return this.endpoints.map((endpoint) => endpoint.report(best));
  }

  /** One endpoint of the right chain is enough; the others are used as soon as they show that they are, too. */
  async probe(): Promise<void> {
    const { resting } = chooseEndpoints(this.usable(), null, this.now());
    const others = this.endpoints.filter((endpoint) => !resting.includes(endpoint));
    const start = (endpoints: readonly EvmEndpoint[]) =>
      quorum(
        endpoints.map((endpoint) => endpoint.askToStart()),
        this.hedgeDelayMs,
      );
    try {
      await start(others).catch((error: unknown) => {
        if (resting.length === 0) throw error;
        return start(resting);
      });
    } catch (error) {
      if (this.endpoints.length === 1) throw error;
      throw new Error(
        `${this.chain}: no endpoint can be used: ${this.endpoints.map((one) => one.trouble).join('; ')}`,
        { cause: error },
      );
    }
    const asked = this.usable().filter(({ capabilities }) => capabilities !== null);
    if (this.settings.finality === 'finalized' && !asked.some((one) => one.capabilities?.finalizedTag)) {
      throw new Error(
        `${this.chain}: payments are to be settled when final, and no node names the final block`,
      );
    }
  }

  /** All are asked, for this also shows who lags behind; the highest counts. */
  async tip(): Promise<BlockRef> {
    this.askRefusedAgain();
    const { value, by } = (await this.fromAll('tip', (one) => one.node.tip()))
      .map((answer) => {
        answer.by.sawTip(answer.value.height);
        return answer;
      })
      .reduce((best, answer) => (answer.value.height > best.value.height ? answer : best));
    this.lastTip = { ...value, by };
    return value;
  }

  /** The lowest that any endpoint tells: later rather than wrongly. */
  async finalized(): Promise<BlockRef> {
    const able = this.usable().filter(({ capabilities }) => capabilities?.finalizedTag !== false);
    const answers = await this.fromAll('finality', (one) => one.node.finalized(), able);
    return answers.map(({ value }) => value).reduce((low, one) => (one.height < low.height ? one : low));
  }

  async header(height: number): Promise<BlockHeader | null> {
    return (await this.inTurn('header', height, (one) => one.node.header(height)))?.value ?? null;
  }

  /** Every endpoint has a vote: a single one cannot take back what the others still show. */
  async agreedHeader(height: number, kept: string): Promise<BlockHeader | null> {
    const { fit, resting } = chooseEndpoints(this.usable(), height, this.now());
    const asks = (fit.length > 0 ? fit : resting).map((one) => ({
      by: one,
      header: one.ask('header', () => one.node.header(height)).run(),
    }));
    const answers = await Promise.allSettled(asks.map(({ header }) => header));
    const votes = answers.flatMap((answer, i) => {
      const by = asks[i]?.by;
      if (answer.status === 'rejected' || !by) return [];
      if (answer.value === null) by.lacks(height);
      return [{ by, hash: answer.value?.hash ?? null, header: answer.value }];
    });
    const failure = answers.find((answer) => answer.status === 'rejected');
    if (votes.length === 0) {
      throw failure?.reason instanceof Error ? failure.reason : new Error(`${this.chain}: nobody to ask`);
    }
    const { hash, isDisputed, outvoted } = resolveByVote(votes, kept);
    if (isDisputed) {
      throw new ChainInconsistencyError(`${this.chain}: the endpoints disagree about block ${height}`);
    }
    for (const by of outvoted)
      by.markFaulty('header', `another block than the other endpoints' at ${height}`);
    if (hash === kept) this.accuseGivers(height, kept, outvoted);
    return votes.find((vote) => vote.hash === hash)?.header ?? null;
  }

  async block(height: number): Promise<ObservedBlock | null> {
    const answer = await this.inTurn('block', height, async (one) => {
      this.refuseBlind(one);
      return one.node.block(height);
    });
    if (!answer) return null;
    this.remember(answer.value, answer.by);
    return answer.value;
  }

  /** One endpoint gives the whole range. */
  async blocks(from: number, count: number): Promise<ObservedBlock[]> {
    const answer = await this.inTurn('block', from, async (one) => {
      this.refuseBlind(one);
      const blocks = await one.node.blocks(from, count);
      return blocks.length > 0 ? blocks : null;
    });
    if (!answer) return [];
    for (const block of answer.value) this.remember(block, answer.by);
    return answer.value;
  }

  async verify(block: ObservedBlock, candidates: TransferCandidate[]): Promise<ObservedTransfer[]> {
    const answer = await this.inTurn('receipts', block.height, (one) =>
      one.node.verify(block, candidates),
    ).catch((error: unknown) => {
      // Nobody's receipts fit, so it may be the block that is wrong: next time another endpoint shows it.
      this.givers.get(block)?.markFaulty('block', `block ${block.height} fits no receipts`);
      throw error;
    });
    if (!answer) throw new ChainInconsistencyError(`${this.chain}: nobody has receipts of ${block.hash}`);
    const large = findLarge(answer.value, this.settings.agreeFrom);
    if (large.length > 0) await this.demandAgreement(block, large);
    return answer.value;
  }

  /** An endpoint that does not know a transaction is no proof: nodes' mempools differ. */
  async transactionFate(txHash: string): Promise<TransactionFate> {
    const answers = await this.fromAll('fate', (one) => one.node.transactionFate(txHash));
    const fates = new Set(answers.map(({ value }) => value));
    if (fates.has('mined')) return 'mined';
    return fates.has('mempool') ? 'mempool' : 'unknown';
  }

  /** The least buried of what the endpoints show: later rather than wrongly. */
  async transaction(txHash: string): Promise<ObservedTransaction> {
    const answers = await this.fromAll('fate', async (one) => {
      this.refuseBlind(one);
      return one.node.transaction(txHash);
    });
    const seen = answers.map(({ value }) => value);
    const mined = seen.flatMap((one) => (one.fate === 'mined' ? [one] : []));
    const least = mined.toSorted((a, b) => a.confirmations - b.confirmations)[0];
    if (least) return least;
    return { fate: seen.some(({ fate }) => fate === 'mempool') ? 'mempool' : 'unknown' };
  }

  /**
   * A second endpoint must read the whole block by itself and find the same transfers. None: nothing is
   * written and the step is retried, however long that takes; whom to believe, no rule can know.
   */
  private async demandAgreement(block: ObservedBlock, large: readonly ObservedTransfer[]): Promise<void> {
    const giver = this.givers.get(block);
    const { fit, resting } = chooseEndpoints(this.usable(), block.height, this.now());
    const dissenters: EvmEndpoint[] = [];
    for (const other of [...fit, ...resting].filter((one) => one !== giver)) {
      const opinion = await other
        .ask('block', () => secondOpinion(other, block, large))
        .run()
        .catch(() => null);
      if (opinion === 'agrees') {
        for (const one of dissenters)
          one.markFaulty('block', `did not show transfers of block ${block.height}`);
        return;
      }
      if (opinion === 'differs') dissenters.push(other);
    }
    if (giver && dissenters.length > 1) {
      giver.markFaulty('block', `showed transfers that no other endpoint shows in block ${block.height}`);
    }
    const about = { height: block.height, hash: block.hash, transactions: large.map(({ txHash }) => txHash) };
    const reason =
      dissenters.length > 0
        ? 'endpoints disagree about a large transfer'
        : 'no second endpoint confirms a large transfer yet';
    if (this.lastDispute !== block.hash + reason) this.logger.warn({ chain: this.chain, ...about }, reason);
    this.lastDispute = block.hash + reason;
    throw new ChainInconsistencyError(`${this.chain}: ${reason} in block ${block.height}`);
  }

  private remember(block: ObservedBlock, by: EvmEndpoint): void {
    const { height, parentHash } = block;
    this.givers.set(block, by);
    this.given.delete(height);
    this.given.set(height, { parentHash, by });
    if (this.given.size > REMEMBERED_BLOCKS) this.given.delete(Math.min(...this.given.keys()));
  }

  /** The block that was applied at this height stands: whoever led away from it was wrong. */
  private accuseGivers(height: number, hash: string, accused: readonly EvmEndpoint[]): void {
    const above = this.given.get(height + 1);
    if (above && above.parentHash !== hash && !accused.includes(above.by)) {
      above.by.markFaulty('block', `a block ${height + 1} that does not follow block ${height}`);
      this.given.delete(height + 1);
    }
    const tip = this.lastTip;
    if (tip?.height === height && tip.hash !== hash && !accused.includes(tip.by)) {
      tip.by.markFaulty('tip', `a tip ${height} that is not the block it has there`);
    }
  }

  /**
   * Without traces a node does not show what contracts pay on. It reads blocks only where no endpoint sees more, or
   * a payment would be missed for good; one that could not be asked yet may see more.
   */
  private refuseBlind(endpoint: EvmEndpoint): void {
    if (endpoint.capabilities?.native !== 'transactions') return;
    const keener = this.usable().find(({ capabilities }) => capabilities?.native !== 'transactions');
    if (keener) throw new NotEligibleError(`${this.chain}: waiting for traces: ${keener.trouble}`);
  }

  private async inTurn<T>(
    operation: Operation,
    height: number,
    work: (endpoint: EvmEndpoint) => Promise<T | null>,
  ): Promise<{ value: T; by: EvmEndpoint } | null> {
    const { fit, resting } = chooseEndpoints(this.usable(), height, this.now());
    const asked = [...fit, ...resting];
    const asks = asked.map((endpoint) =>
      endpoint.ask(operation, async (one) => {
        const value = await work(one);
        if (value === null) one.lacks(height);
        return value;
      }),
    );
    const answer = await hedged(asks, fit.length, this.hedgeDelayMs);
    return answer && withEndpoint(answer.value, asked, answer);
  }

  /** Answers of those who can be asked: the resting ones only when no other answers. */
  private async fromAll<T>(
    operation: Operation,
    work: (endpoint: EvmEndpoint) => Promise<T>,
    among = this.usable(),
  ): Promise<{ value: T; by: EvmEndpoint }[]> {
    const { fit, resting } = chooseEndpoints(among, null, this.now());
    const ask = async (endpoints: readonly EvmEndpoint[]) => {
      const asks = endpoints.map((endpoint) => endpoint.ask(operation, work));
      const answers = await quorum(asks, this.hedgeDelayMs);
      return answers.flatMap((answer) =>
        answer.value === null ? [] : [withEndpoint(answer.value, endpoints, answer)],
      );
    };
    if (fit.length === 0 || resting.length === 0) return ask([...fit, ...resting]);
    return ask(fit).catch(() => ask(resting));
  }

  private usable(): EvmEndpoint[] {
    return this.endpoints.filter(({ isRefused }) => !isRefused);
  }

  private askRefusedAgain(): void {
    for (const endpoint of this.endpoints.filter((one) => one.mayBeAskedAgain)) {
      // Its outcome stands in its record.
      endpoint
        .askToStart()
        .run()
        .catch(() => false);
    }
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

function withEndpoint<T>(
  value: T,
  endpoints: readonly EvmEndpoint[],
  { index }: Answer<unknown>,
): { value: T; by: EvmEndpoint } {
  const by = endpoints[index];
  if (!by) throw new Error('an answer of nobody');
  return { value, by };
}

/** Null: it cannot tell. It has not that block, or does not see what contracts pay on. */
async function secondOpinion(
  { node }: EvmEndpoint,
  block: ObservedBlock,
  large: readonly ObservedTransfer[],
): Promise<'agrees' | 'differs' | null> {
  const isBlind = node.capabilities?.native === 'transactions';
  if (isBlind && large.some(({ ordinal }) => ordinal.startsWith('call:'))) return null;
  const again = await node.block(block.height);
  if (!again) return null;
  if (again.hash !== block.hash) return 'differs';
  const concerned = again.candidates.filter((candidate) =>
    large.some(({ txHash, key }) => txHash === candidate.txHash && key.equals(candidate.key)),
  );
  const found = await node.verify(again, concerned);
  return showsAll(found, large) ? 'agrees' : 'differs';
}
