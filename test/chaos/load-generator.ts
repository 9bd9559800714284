import { setTimeout as delay } from 'node:timers/promises';
import { REFUSALS } from '../chain-fuzz/campaign.js';
import type { EvmActor } from '../chain-fuzz/evm-actor.js';
import type { AssetName, Payee } from '../chain-fuzz/payees.js';
import type { Step } from '../chain-fuzz/program.js';
import type { Hex } from '../support/anvil.js';
import { newAddress } from '../support/evm-chain.js';
import { seededRandom } from '../support/seeded-random.js';
import type { Inbox } from './inbox.js';
import type { CreatedRefund } from '../support/merchant-api.js';
import type { RetryingMerchant } from './retrying-merchant.js';

const METHODS: readonly (readonly AssetName[])[] = [['ETH'], ['USDT'], ['ETH', 'USDT'], ['USDC', 'ETH']];
/** What a customer sends, in thousandths of what is asked, transaction by transaction. */
const HABITS: readonly (readonly number[])[] = [
  [1_000],
  [1_000],
  [1_000],
  [1_000],
  [1_200],
  [600],
  [400, 600],
  [1_000, 1_000],
  [],
];
const SHOPPERS = 4;
/** Shallower than the confirmations that payments need, so that nothing announced is taken back. */
const DEEPEST_FORK = 2;
/** Shoppers wait, so that the processor belongs to the gateway. */
const BETWEEN_SALES_MS = 250;
const TICK_MS = 100;
const TICKS_OF_A_FORK = 25;
const TICKS_OF_A_REFUND = 12;
/** Blocks above a payout before it is reported: no fork takes it away again. */
const PAYOUT_DEPTH = 5;
/** A payout that no block holds after this is sent again. */
const LOST_MS = 3_000;

/** Customers, their wallets, miners and a merchant who gives money back: everything at once, for as long as it is open. */
export class LoadGenerator {
  readonly payees: Payee[] = [];
  readonly counts = { transactions: 0, forks: 0, refunds: 0 };
  private readonly pick: (below: number) => number;
  private readonly working: Promise<void>[] = [];
  /** Payments that get what they ask for, once: only those are given back. */
  private readonly simple = new Set<string>();
  private readonly refunding = new Map<string, Promise<void>>();
  private isOpen = true;
  private failure: unknown = null;

  constructor(
    seed: number,
    private readonly merchant: RetryingMerchant,
    private readonly evm: EvmActor,
    private readonly inbox: Inbox,
  ) {
    this.pick = seededRandom(Math.imul(seed, 0x85ebca6b) ^ 0x27d4eb2f);
  }

  open(): void {
    for (let i = 0; i < SHOPPERS; i++) this.start(this.sell());
    this.start(this.moveChain());
  }

  /** Waits until all finish what they are doing. @throws Error of the first that failed */
  async close(): Promise<void> {
    this.isOpen = false;
    await Promise.all(this.working);
    await Promise.all(this.refunding.values());
    if (this.failure) throw this.failure;
  }

  private start(work: Promise<void>): void {
    const caught = work.catch((error: unknown) => {
      this.failure ??= error;
      this.isOpen = false;
    });
    this.working.push(caught);
  }

  private async sell(): Promise<void> {
    while (this.isOpen) {
      const payee = await this.merchant.sell(METHODS[this.pick(METHODS.length)] ?? ['ETH']);
      this.payees.push(payee);
      this.start(this.payFor(payee, HABITS[this.pick(HABITS.length)] ?? []));
      await delay(this.pick(2 * BETWEEN_SALES_MS));
    }
  }

  private async payFor(payee: Payee, shares: readonly number[]): Promise<void> {
    const [method = 'ETH'] = payee.asked.keys();
    if (shares.length === 1 && shares[0] === 1_000) this.simple.add(payee.paymentId);
    for (const share of shares) {
      const dust = share < 1_000 ? 0 : this.pick(1_000);
      const kind = method === 'ETH' ? 'evm.pay' : 'evm.token';
      // The actor sends USDC where the number is odd.
      const pick = 2 * this.pick(2 ** 20) + (method === 'USDC' ? 1 : 0);
      await this.act({ kind, parts: [{ payee: 0, share, dust }], pick }, [payee]);
      this.counts.transactions++;
      await delay(this.pick(600));
    }
  }

  private async moveChain(): Promise<void> {
    for (let tick = 1; this.isOpen; tick++) {
      await this.act({ kind: 'evm.mine', depth: 1 + (tick % 2) });
      if (tick % TICKS_OF_A_FORK === 0) {
        await this.act({ kind: 'evm.reorg', depth: 1 + this.pick(DEEPEST_FORK) });
        this.counts.forks++;
        await this.evm.rise(1);
      }
      if (tick % TICKS_OF_A_REFUND === 0) this.giveBack();
      await delay(TICK_MS);
    }
  }

  /** One payment that is complete, and was paid exactly once. */
  private giveBack(): void {
    const paymentId = this.inbox.completed.at(-1);
    const payee = this.payees.find((each) => each.paymentId === paymentId);
    if (!payee || !this.simple.has(payee.paymentId) || this.refunding.has(payee.paymentId)) return;
    const refund = this.refund(payee);
    this.refunding.set(
      payee.paymentId,
      refund.catch((error: unknown) => {
        this.failure ??= error;
      }),
    );
  }

  private async refund(payee: Payee): Promise<void> {
    const { chain } = this.evm;
    const refund = await this.merchant.refund(payee.paymentId, newAddress());
    payee.isRefunded = true;
    let txHash = await this.payOut(refund);
    let sentAt = performance.now();
    for (;;) {
      const receipt = await chain.receipt(txHash);
      const height = await chain.blockNumber();
      if (receipt && height - Number(receipt.blockNumber) >= PAYOUT_DEPTH) break;
      // The load generator has stopped, and nothing is mined any more.
      if (!this.isOpen) await chain.mine(1);
      if (receipt) sentAt = performance.now();
      else if (performance.now() - sentAt > LOST_MS) {
        // A fork left it out.
        txHash = await this.payOut(refund);
        sentAt = performance.now();
      }
      await delay(TICK_MS);
    }
    await this.merchant.completeRefund(payee.paymentId, refund.id, txHash);
    this.counts.refunds++;
  }

  private payOut({ address: to, payoutAmount: value, token }: CreatedRefund): Promise<Hex> {
    const { chain } = this.evm;
    const from = chain.account(0);
    return token ? chain.sendToken({ token, to, value, from }) : chain.sendEth({ to, value, from });
  }

  private async act(step: Partial<Step> & Pick<Step, 'kind'>, payees: readonly Payee[] = []): Promise<void> {
    try {
      await this.evm.act({ parts: [], depth: 0, pick: this.pick(2 ** 30), ...step }, payees);
    } catch (error) {
      if (!REFUSALS.test(String(error))) throw error;
    }
  }
}
