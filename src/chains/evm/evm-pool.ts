import { Logger } from '@nestjs/common';
import type { Clock } from '../../platform/kernel/clock.pure.js';
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
import type { Chain, FinalityTag } from '../chain.pure.js';
import { quorum, hedged } from './hedged-request.js';
import { BlockSources } from './block-sources.js';
import { selectEndpoints, resolveByVote } from './endpoint-selection.js';
import { bestTip, type Operation } from './endpoint-health.js';
import { EvmAdapter } from './evm-adapter.js';
import { LOGS_TOGETHER } from './evm-ranges.js';
import { supportsTag } from './evm-capabilities.js';
import { type EndpointReport, EvmEndpoint, NotEligibleError, withEndpoint } from './evm-endpoint.js';
import type { JsonRpc } from '../json-rpc.js';
import { readBlocksConcurrently } from '../read-blocks-concurrently.pure.js';
import { refusalKindOf, RpcError } from '../rpc-error.pure.js';
import { findLarge } from './quorum-threshold.js';
import { keepsOnlyTraces, PATIENT_TRACES_MS, readInParts, TRACES_MS } from './read-in-parts.js';
import { secondOpinion } from './second-opinion.js';
import type { NewHeads } from './new-heads.js';

/** Time that an endpoint has before the next is sent the same request. */
const HEDGE_DELAY_MS = 1_000;
/** So far below the tip, a block that an endpoint does not have is no new one. */
const BURIED_BLOCKS = 16;
/** Blocks read at once where no range can be read. */
const ONE_BY_ONE = 8;

/**
 * Reads an EVM chain through several endpoints. Each request is served by one of them: a block with its logs and traces
 * comes from one endpoint and is checked against one hash; its receipts may come from another, checked against the same
 * hash. An endpoint that fails, contradicts others or lags is asked last for a while.
 */
export class EvmPool implements ChainAdapter {
  readonly chain: string;
  readonly family = 'evm';
  readonly cheapRange = LOGS_TOGETHER;
  readonly waitForBlock?: NonNullable<ChainAdapter['waitForBlock']>;
  private readonly logger = new Logger('EvmPool');
  private readonly endpoints: readonly EvmEndpoint[];
  private readonly sources = new BlockSources();
  private lastTip: (BlockRef & { by: EvmEndpoint }) | null = null;
  private lastDispute: string | null = null;

  /**
   * @param nodes in order of preference
   * @param heads subscriptions to new heads at some of them
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
      // The first notification counts; an endpoint without subscriptions does not matter while another has them.
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

  /** One endpoint of the right chain is enough; the others are used once they pass the same check. */
  async probe(): Promise<void> {
    const { resting } = selectEndpoints(this.usable(), null, this.now());
    const others = this.endpoints.filter((endpoint) => !resting.includes(endpoint));
    const start = (endpoints: readonly EvmEndpoint[]) =>
      quorum(
        endpoints.map((endpoint) => endpoint.callToStart()),
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
    for (const tag of this.settings.requiredTags ?? []) {
      if (asked.some(({ capabilities }) => capabilities && supportsTag(capabilities, tag))) continue;
      throw new Error(
        `${this.chain}: the settings let transfers wait for the ${tag} block, and no node names one`,
      );
    }
  }

  /** The highest tip. Asks all endpoints, which also shows which of them lag. */
  async tip(): Promise<BlockRef> {
    this.retryRefused();
    const answers = await this.fromAll('tip', (one) => one.node.tip());
    for (const one of answers) one.by.sawTip(one.value.height);
    const { value, by } = answers.reduce((best, one) => (one.value.height > best.value.height ? one : best));
    this.lastTip = { ...value, by };
    return value;
  }

  /** Of the endpoint with the highest tip. */
  async progress() {
    if (this.lastTip) return this.lastTip.by.node.progress();
    throw new Error(`${this.chain}: no endpoint has shown a tip yet`);
  }

  /** The lowest of all endpoints: late rather than wrong. Null when none of them supports the tag. */
  async tagged(tag: FinalityTag): Promise<BlockRef | null> {
    const able = this.usable().filter(
      ({ capabilities }) => capabilities === null || supportsTag(capabilities, tag),
    );
    if (able.length === 0) return null;
    const answers = await this.fromAll('finality', (one) => one.node.tagged(tag), able);
    return answers.map(({ value }) => value).reduce((low, one) => (one.height < low.height ? one : low));
  }

  async header(height: number): Promise<BlockHeader | null> {
    return (await this.inTurn('header', height, (one) => one.node.header(height)))?.value ?? null;
  }

  /** By vote, so that a single endpoint cannot revert what the others still show. */
  async agreedHeader(height: number, kept: string): Promise<BlockHeader | null> {
    const { fit, resting } = selectEndpoints(this.usable(), height, this.now());
    const asks = (fit.length > 0 ? fit : resting).map((one) => ({
      by: one,
      header: one.call('header', () => one.node.header(height)).run(),
    }));
    const answers = await Promise.allSettled(asks.map(({ header }) => header));
    const votes = answers.flatMap((answer, i) => {
      const by = asks[i]?.by;
      if (answer.status === 'rejected' || !by) return [];
      if (answer.value === null) by.lacks(height);
      return [{ by, hash: answer.value?.hash ?? null, header: answer.value }];
    });
    const failure = answers.find((answer) => answer.status === 'rejected');
    if (votes.length === 0)
      throw failure?.reason instanceof Error ? failure.reason : new Error(`${this.chain}: none to ask`);
    const { hash, isDisputed, outvoted } = resolveByVote(votes, kept);
    if (isDisputed) {
      throw new ChainInconsistencyError(`${this.chain}: the endpoints disagree about block ${height}`);
    }
    for (const by of outvoted)
      by.markFaulty('header', `another block than the other endpoints' at ${height}`);
    if (hash === kept) this.blameSources(height, kept, outvoted);
    return votes.find((vote) => vote.hash === hash)?.header ?? null;
  }

  block(height: number): Promise<ObservedBlock | null> {
    return this.wholeOrParts(height, TRACES_MS);
  }

  patientBlock(height: number): Promise<ObservedBlock | null> {
    return this.wholeOrParts(height, PATIENT_TRACES_MS);
  }

  /** One endpoint serves the whole range; where none can, the blocks are read by themselves. */
  async blocks(from: number, count: number): Promise<ObservedBlock[]> {
    const { answer, isAboutTraces } = await this.complete(from, async (node) => {
      const blocks = await node.blocks(from, count);
      return blocks.length > 0 ? blocks : null;
    });
    if (isAboutTraces) return readBlocksConcurrently(this, from, Math.min(ONE_BY_ONE, count));
    if (!answer) return [];
    for (const block of answer.value) this.sources.add(block, answer.by);
    return answer.value;
  }

  async verify(block: ObservedBlock, candidates: TransferCandidate[]): Promise<ObservedTransfer[]> {
    const answer = await this.inTurn('receipts', block.height, (one) =>
      one.node.verify(block, candidates),
    ).catch((error: unknown) => {
      // No endpoint has matching receipts, so the block may be wrong: next time another endpoint serves it.
      this.sources.of(block)?.markFaulty('block', `block ${block.height} matches no receipts`);
      throw error;
    });
    if (!answer)
      throw new ChainInconsistencyError(`${this.chain}: no endpoint has receipts of ${block.hash}`);
    const { agreeFrom, proveFrom } = this.settings;
    const large = findLarge(answer.value, agreeFrom ?? proveFrom);
    if (large.length === 0) return answer.value;
    if (await (agreeFrom ? this.isAgreed(block, large) : this.isProven(block, large))) return answer.value;
    return answer.value.map((one) => (large.includes(one) ? { ...one, awaitsAgreement: true } : one));
  }

  /** One unreadable trace must not keep the rest of its block, and all later blocks, from being read. */
  private async wholeOrParts(height: number, budgetMs: number): Promise<ObservedBlock | null> {
    let { answer, isAboutTraces } = await this.complete(height, (node) => node.block(height));
    // Nodes also say that they do not have a block when they no longer have its traces.
    isAboutTraces ||= !answer && (this.lastTip?.height ?? 0) - height >= BURIED_BLOCKS;
    if (isAboutTraces) {
      const { fit, resting } = selectEndpoints(this.usable(), height, this.now());
      answer = await readInParts([...fit, ...resting], height, budgetMs);
    }
    if (!answer) return null;
    this.sources.add(answer.value, answer.by);
    return answer.value;
  }

  /** What an endpoint with traces shows completely. `isAboutTraces`: none does, and that may be due to traces alone. */
  private async complete<T>(height: number, read: (node: EvmAdapter) => Promise<T | null>) {
    let isAboutTraces = false;
    const work = (one: EvmEndpoint) => {
      this.requireTraces(one);
      return read(one.node);
    };
    try {
      const note = (error: unknown) => (isAboutTraces ||= keepsOnlyTraces(error));
      return { answer: await this.inTurn('block', height, work, note), isAboutTraces: false };
    } catch (error) {
      if (isAboutTraces) return { answer: null, isAboutTraces };
      throw error;
    }
  }

  /** Unknown only if every endpoint says so, because the mempools of nodes differ. */
  async transactionFate(txHash: string): Promise<TransactionFate> {
    const answers = await this.fromAll('fate', (one) => one.node.transactionFate(txHash));
    const fates = new Set(answers.map(({ value }) => value));
    if (fates.has('mined')) return 'mined';
    return fates.has('mempool') ? 'mempool' : 'unknown';
  }

  /** The fewest confirmations of all endpoints: late rather than wrong. */
  async transaction(txHash: string): Promise<ObservedTransaction> {
    const answers = await this.fromAll('fate', async (one) => {
      this.requireTraces(one);
      return one.node.transaction(txHash);
    });
    const seen = answers.map(({ value }) => value);
    const mined = seen.flatMap((one) => (one.fate === 'mined' ? [one] : []));
    const least = mined.toSorted((a, b) => a.confirmations - b.confirmations)[0];
    if (least) return least;
    return { fate: seen.some(({ fate }) => fate === 'mempool') ? 'mempool' : 'unknown' };
  }

  /**
   * Whether a second endpoint reads the whole block by itself and finds the same transfers. False while none can: then the
   * transfers wait, and nothing else. When one finds something else, nothing is written and the step is retried, however
   * long that takes, because no rule can decide which endpoint is right.
   */
  private async isAgreed(block: ObservedBlock, large: readonly ObservedTransfer[]): Promise<boolean> {
    const source = this.sources.of(block);
    const { fit, resting } = selectEndpoints(this.usable(), block.height, this.now());
    const dissenters: EvmEndpoint[] = [];
    for (const other of [...fit, ...resting].filter((one) => one !== source)) {
      const opinion = await other
        .call('block', () => secondOpinion(other, block, large))
        .run()
        .catch(() => null);
      if (opinion === 'agrees') {
        for (const one of dissenters)
          one.markFaulty('block', `did not show transfers of block ${block.height}`);
        return true;
      }
      if (opinion === 'differs') dissenters.push(other);
    }
    if (source && dissenters.length > 1) {
      source.markFaulty('block', `showed transfers that no other endpoint shows in block ${block.height}`);
    }
    const reason =
      dissenters.length > 0
        ? 'endpoints disagree about a large transfer'
        : 'no second endpoint confirms a large transfer yet';
    this.warnOnce(block, large, reason);
    if (dissenters.length === 0) return false;
    throw new ChainInconsistencyError(`${this.chain}: ${reason} in block ${block.height}`);
  }

  /**
   * Whether the block itself proves them (specification/chains.md#proof). False while no endpoint shows what is needed:
   * then they wait, and nothing else.
   */
  private async isProven(block: ObservedBlock, large: readonly ObservedTransfer[]): Promise<boolean> {
    let lacks = 'no endpoint has the block';
    try {
      const answer = await this.inTurn('proof', block.height, (one) => one.node.prove(block, large));
      if (answer?.value.lacks === null) return true;
      lacks = answer?.value.lacks ?? lacks;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      lacks = error.message;
    }
    this.warnOnce(block, large, `a large transfer waits, because its block is not proven yet: ${lacks}`);
    return false;
  }

  private warnOnce({ height, hash }: BlockRef, large: readonly ObservedTransfer[], reason: string): void {
    const transactions = large.map(({ txHash }) => txHash);
    if (this.lastDispute !== hash + reason)
      this.logger.warn({ chain: this.chain, height, hash, transactions }, reason);
    this.lastDispute = hash + reason;
  }

  /** The applied block at this height was confirmed, so the sources that contradict it were wrong. */
  private blameSources(height: number, hash: string, blamed: readonly EvmEndpoint[]): void {
    this.sources.blameAbove(height, hash, blamed);
    const tip = this.lastTip;
    if (tip?.height === height && tip.hash !== hash && !blamed.includes(tip.by)) {
      tip.by.markFaulty('tip', `a tip ${height} that is not the block it has there`);
    }
  }

  /**
   * Without traces a node does not show payments by contracts. It serves blocks only if no endpoint has traces, or a
   * payment would be missed for good; an endpoint that was not probed yet may have them.
   */
  private requireTraces(endpoint: EvmEndpoint): void {
    if (endpoint.capabilities?.native !== 'transactions') return;
    const better = this.usable().find(({ capabilities }) => capabilities?.native !== 'transactions');
    if (better) throw new NotEligibleError(`${this.chain}: waiting for traces: ${better.trouble}`);
  }

  private async inTurn<T>(
    operation: Operation,
    height: number,
    work: (endpoint: EvmEndpoint) => Promise<T | null>,
    onFailure: (error: unknown) => void = () => {},
  ): Promise<{ value: T; by: EvmEndpoint } | null> {
    const { fit, resting } = selectEndpoints(this.usable(), height, this.now());
    const asked = [...fit, ...resting];
    const asks = asked.map((endpoint) => {
      const ask = endpoint.call(operation, async (one) => {
        const value = await work(one).catch((error: unknown) => {
          if (operation !== 'block' || refusalKindOf(error) !== 'lagging') throw error;
          one.lags(height);
          return null;
        });
        if (value === null) one.lacks(height);
        return value;
      });
      const noted = (error: unknown): never => {
        onFailure(error);
        throw error;
      };
      return { ...ask, run: () => ask.run().catch(noted) };
    });
    const answer = await hedged(asks, fit.length, this.hedgeDelayMs);
    return answer && withEndpoint(answer.value, asked, answer);
  }

  /** Responses of all endpoints; resting ones are asked only when no other responds. */
  private async fromAll<T>(
    operation: Operation,
    work: (endpoint: EvmEndpoint) => Promise<T>,
    among = this.usable(),
  ): Promise<{ value: T; by: EvmEndpoint }[]> {
    const { fit, resting } = selectEndpoints(among, null, this.now());
    const ask = async (endpoints: readonly EvmEndpoint[]) => {
      const asks = endpoints.map((endpoint) => endpoint.call(operation, work));
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

  private retryRefused(): void {
    for (const endpoint of this.endpoints.filter((one) => one.mayBeRetried)) {
      // The outcome is in the endpoint's own state.
      endpoint
        .callToStart()
        .run()
        .catch(() => false);
    }
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
