import { Injectable } from '@nestjs/common';
import type { ChainState } from '../../chains/chain-health.pure.js';
import { ChainHealthService } from '../../chains/chain-health.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import type { ChangeContract } from './change.contract.js';
import { ChangeRepository } from './change.repository.js';
import { EVERYTHING } from './change-stream.js';

/** Milliseconds between two readings: some networks have several blocks a second. */
export const NETWORKS_MS = 3_000;

/** A change of one user's payments. `userId` null: everybody's. */
export interface NetworkChange {
  userId: string | null;
  change: ChangeContract;
}

/** What changes without a row of the user: each block confirms what waits, and networks come and go. */
@Injectable()
export class NetworkChanges {
  private last: { at: Date; heights: Map<string, string>; states: Map<string, ChainState> } | null = null;

  constructor(
    private readonly changes: ChangeRepository,
    private readonly chains: ChainsService,
    private readonly health: ChainHealthService,
  ) {}

  /** Since the reading before; the first one has nothing to compare with. */
  async read(userIds: readonly string[], now: Date, limit: number): Promise<NetworkChange[]> {
    const { last } = this;
    if (last && Math.abs(now.getTime() - last.at.getTime()) < NETWORKS_MS) return [];
    const heights = await this.changes.heights();
    const states = await this.statesOf();
    this.last = { at: now, heights, states };
    if (!last) return [];
    const moved = [...heights].flatMap(([chain, height]) =>
      last.heights.get(chain) === height ? [] : [chain],
    );
    const changed = [...states].flatMap(([slug, state]) => (last.states.get(slug) === state ? [] : [slug]));
    const networks = changed.map((slug) => ({ userId: null, change: changeOf('blockchain', slug, null) }));
    return [...networks, ...(await this.confirmed(userIds, moved, limit))];
  }

  /** Starts over, as no stream is open: what changes meanwhile is not reported. */
  forget(): void {
    this.last = null;
  }

  private async confirmed(
    userIds: readonly string[],
    chains: readonly string[],
    limit: number,
  ): Promise<NetworkChange[]> {
    if (userIds.length === 0 || chains.length === 0) return [];
    const waiting = await this.changes.waiting(userIds, chains, limit + 1);
    if (waiting.length > limit) return [{ userId: null, change: EVERYTHING }];
    return waiting.map(({ userId, paymentId, applicationId }) => ({
      userId,
      change: changeOf('payment', paymentId, applicationId),
    }));
  }

  private async statesOf(): Promise<Map<string, ChainState>> {
    const slugs = this.chains.list().map(({ slug }) => slug);
    const statuses = await this.health.statusesOf(slugs);
    return new Map(slugs.map((slug, index) => [slug, statuses[index]?.state ?? 'unknown']));
  }
}

function changeOf(type: 'payment' | 'blockchain', id: string, applicationId: string | null): ChangeContract {
  return { type, id, applicationId, paymentId: null, version: null };
}
