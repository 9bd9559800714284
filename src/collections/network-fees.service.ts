import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import type { NetworkFee } from './collecting-cost.pure.js';

/** Seconds for which a price is shown, to all readers. */
const CACHE_SECONDS = 60;
/** Seconds after which a node that did not say it is asked again. */
const RETRY_SECONDS = 10;
/** What a page waits for others. A later answer is for the next page. Milliseconds. */
const PATIENCE_MS = 2_000;

interface Known {
  askedAt: Date;
  fee: NetworkFee | null;
}

/** What a transaction costs on each chain: one question to its node in a minute, whoever asks. */
@Injectable()
export class NetworkFees {
  private readonly known = new Map<string, Known>();
  private readonly asking = new Map<string, Promise<NetworkFee | null>>();

  constructor(
    private readonly chains: ChainsService,
    private readonly clock: Clock,
  ) {}

  /** Null: the node does not say it, or not soon. */
  async find(slug: string): Promise<NetworkFee | null> {
    const known = this.known.get(slug);
    const age = known ? this.clock.now().getTime() - known.askedAt.getTime() : Infinity;
    if (known && age < (known.fee ? CACHE_SECONDS : RETRY_SECONDS) * 1_000) return known.fee;
    const asking = this.asking.get(slug) ?? this.ask(slug).finally(() => this.asking.delete(slug));
    this.asking.set(slug, asking);
    return within(PATIENCE_MS, asking);
  }

  private async ask(slug: string): Promise<NetworkFee | null> {
    const askedAt = this.clock.now();
    const gas = await this.chains.findAccounts(slug)?.gasPrice();
    const byte = await this.chains.findOutputs(slug)?.feeRate();
    const fee: NetworkFee | null =
      gas !== undefined && gas !== null
        ? { kind: 'gas', price: gas }
        : byte !== undefined && byte !== null
          ? { kind: 'byte', price: byte }
          : null;
    this.known.set(slug, { askedAt, fee });
    return fee;
  }
}

/** Null where the work is not done in time; it goes on, and its failure is that of whoever waits for it then. */
export async function within<T>(ms: number, work: Promise<T | null>): Promise<T | null> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, delay(ms, null, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
