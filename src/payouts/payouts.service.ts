import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { groupedBy } from '../chains/chain-auditor.pure.js';
import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { chainMessage } from '../chains/chain-selection.pure.js';
import type { Chain, ChainAsset } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { tokenOf } from '../chains/contract-address.pure.js';
import type { CollectedAmountContract } from '../collections/treasury-collection.contract.js';
import { getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { AtOnce } from '../platform/web/rate-limiting/at-once.js';
import { type OwedRefund, OwedRefunds } from '../refunds/owed-refunds.service.js';
import { ADDRESS_PROBLEMS, readPayoutAddress } from '../refunds/payout-address.pure.js';
import { RefundPresenter } from '../refunds/refund-presenter.service.js';
import type { Refund } from '../refunds/refund.pure.js';
import { ReportedPayouts } from '../refunds/reported-payouts.service.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { safeBatchOf } from '../wallets/safe-batch.pure.js';
import { PayoutPsbts, type PsbtRequest } from './payout-psbts.service.js';
import { reasonToLeaveOut } from './left-out.pure.js';
import {
  MAX_REFUNDS,
  type PayoutContract,
  type PayoutItemContract,
  type PayoutLeftOutContract,
  type PreparePayoutContract,
  type ReportedPayoutsContract,
  type ReportPayoutsContract,
} from './payout.contract.js';

/** Each may ask a node a hundred questions, which the watcher asks, too. */
const AT_ONCE = { name: 'payouts', perUser: 2, total: 10, retryAfter: 5 };

interface Request {
  chain: Chain;
  refundIds: readonly string[] | null;
  /** The merchant's own. */
  wallet: string | null;
  /** Null: no PSBT is asked for. */
  psbt: PsbtRequest | null;
}
/** A refund that is paid. */
interface Owed {
  refund: Refund;
  asset: ChainAsset;
  address: string;
  /** Of the address. */
  key: Buffer;
}

/**
 * Prepares what pays refunds, and never signs; nothing of it is stored (docs/decisions/0899-pay-many-refunds-at-once.md).
 */
@Injectable()
export class PayoutsService {
  private readonly atOnce = new AtOnce(AT_ONCE);

  constructor(
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly owed: OwedRefunds,
    private readonly reported: ReportedPayouts,
    private readonly presenter: RefundPresenter,
    private readonly addresses: DepositAddressesService,
    private readonly psbts: PayoutPsbts,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFoundError for a foreign application, ValidationError, TooManyRequestsError, ServiceUnavailableError */
  async prepare(
    userId: string,
    applicationId: string,
    draft: Draft<PreparePayoutContract>,
  ): Promise<PayoutContract> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    return this.atOnce.run(userId, () => this.prepareOf({ userId, applicationId: id }, draft));
  }

  /** @throws NotFoundError for a foreign application, ValidationError */
  async report(
    userId: string,
    applicationId: string,
    draft: Draft<ReportPayoutsContract>,
  ): Promise<ReportedPayoutsContract> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const { given, problems } = draft;
    const ids = Object.keys(given.transactions ?? {});
    if (given.transactions && ids.length === 0)
      problems.add('transactions', 'The transactions field must name at least one refund.');
    if (!ids.every(isId))
      problems.add('transactions', 'The transactions field must be by the ids of refunds.');
    const { transactions } = draft.finish();
    const results = await this.reported.report(
      { userId, applicationId: id },
      new Map(Object.entries(transactions)),
    );
    return {
      refunds: results.map((result) => ({
        refundId: result.id,
        refusal: result.refusal,
        refund: result.refund && this.presenter.refund(result.refund),
      })),
    };
  }

  private async prepareOf(
    owner: { userId: string; applicationId: string },
    draft: Draft<PreparePayoutContract>,
  ): Promise<PayoutContract> {
    const { chain, refundIds, wallet, psbt } = await this.readRequest(draft);
    // One more than a payout has: whether there are more.
    const found = refundIds
      ? await this.owed.listNamed(owner, refundIds)
      : await this.owed.listWaiting({ ...owner, chain: chain.slug }, MAX_REFUNDS + 1);
    const { owed, leftOut } = await this.divide(chain, found.slice(0, MAX_REFUNDS));
    const refunds = await this.withCalls(chain, owed, wallet);
    const payments = owed.map(({ refund, key }) => ({ script: key, amount: refund.payoutAmount }));
    return {
      refunds,
      sums: sumsOf(chain, owed),
      safeBatch: this.safeBatch(chain, refunds, wallet),
      ...(psbt ? await this.psbts.prepare(owner, chain, psbt, payments) : { psbt: null, missing: null }),
      leftOut,
      hasMore: found.length > MAX_REFUNDS,
    };
  }

  /** @throws ValidationError with every wrong field */
  private async readRequest({ given, problems }: Draft<PreparePayoutContract>): Promise<Request> {
    const { blockchain, refundIds = null, wallet } = given;
    const chain = await problems.collect(() =>
      blockchain === undefined ? null : this.readChain(blockchain),
    );
    if (refundIds && !refundIds.every(isId))
      problems.add('refundIds', 'The refundIds field must be a list of ids of refunds.');
    const sender = await problems.collect(() =>
      chain === null || wallet === undefined ? null : this.readWallet(chain, wallet),
    );
    const psbt = await problems.collect(() => (chain === null ? null : this.psbts.readRequest(chain, given)));
    problems.throwIfAny();
    if (chain === null) throw new Error('a field is neither read nor refused');
    return { chain, refundIds, wallet: sender, psbt };
  }

  private readChain(slug: string): Chain {
    const chain = this.chains.find(slug);
    if (chain) return chain;
    throw ValidationError.of(
      'blockchain',
      chainMessage('blockchain', slug, this.chains.list(), CHAIN_CATALOG),
    );
  }

  /** @throws ValidationError, which never repeats the text: it may be a secret */
  private readWallet(chain: Chain, text: string): string {
    if (this.chains.findAccounts(chain.slug) === null)
      throw ValidationError.of('wallet', `The wallet field does not apply on ${chain.name}.`);
    const read = readPayoutAddress(chain, text);
    if (!('problem' in read)) return read.address;
    throw ValidationError.of('wallet', `The wallet field ${ADDRESS_PROBLEMS[read.problem]}.`);
  }

  private async divide(
    chain: Chain,
    found: readonly OwedRefund[],
  ): Promise<{ owed: Owed[]; leftOut: PayoutLeftOutContract[] }> {
    const keys = found.flatMap(({ refund }) =>
      refund?.chain === chain.slug && refund.addressKey ? [refund.addressKey] : [],
    );
    const own = await this.addresses.match(chain.family, keys);
    const ownKeys = new Set(own.map(({ key }) => key.toString('hex')));
    const owed: Owed[] = [];
    const leftOut: PayoutLeftOutContract[] = [];
    for (const { id, refund, isStopped, paymentStatus } of found) {
      const reason = reasonToLeaveOut(refund, { chain, isStopped, paymentStatus, ownKeys });
      const asset = chain.assets.find((one) => one.asset === refund?.asset);
      if (reason === null && refund?.address && refund.addressKey && asset)
        owed.push({ refund, asset, address: refund.address, key: refund.addressKey });
      else leftOut.push({ refundId: id, reason: reason ?? 'unknown' });
    }
    return { owed, leftOut };
  }

  private async withCalls(
    chain: Chain,
    owed: readonly Owed[],
    wallet: string | null,
  ): Promise<PayoutItemContract[]> {
    const family = familyOf(chain.family);
    const requests = owed.map(({ refund, asset, address }) => ({
      chain,
      asset,
      address,
      amount: refund.payoutAmount,
    }));
    const calls = requests.map((request) => family.transferCall(request));
    const reader = wallet === null ? null : this.chains.findAccounts(chain.slug);
    const asked = calls.flatMap((call) => (call && wallet !== null ? [{ from: wallet, ...call }] : []));
    const gas = reader ? await reader.gas(asked) : [];
    return owed.map(({ refund, asset, address }, i): PayoutItemContract => {
      const [request, call, estimate = null] = [requests[i], calls[i], gas[i]];
      return {
        refundId: refund.id,
        paymentId: refund.paymentId,
        reference: refund.reference,
        address,
        amount: this.presenter.payoutAmount(refund),
        token: tokenOf(chain.family, asset),
        paymentUri: request ? family.paymentUri(request) : null,
        call: call ? { ...call, gasLimit: estimate === null ? null : Number((estimate * 6n) / 5n) } : null,
      };
    });
  }

  private safeBatch(
    chain: Chain,
    refunds: readonly PayoutItemContract[],
    wallet: string | null,
  ): string | null {
    const calls = refunds.flatMap(({ call }) => (call ? [call] : []));
    if (calls.length === 0 || !chain.chainId) return null;
    const name = `Pay ${calls.length} refunds on ${chain.name}`;
    const createdAt = this.clock.now().getTime();
    return JSON.stringify(
      safeBatchOf({ chainId: chain.chainId, safe: wallet ?? '', name, createdAt, calls }),
    );
  }
}

const isId = (text: string) => UUID.test(text);

function sumsOf(chain: Chain, owed: readonly Owed[]): CollectedAmountContract[] {
  return [...groupedBy(owed, ({ asset }) => asset).entries()].map(([asset, some]) => ({
    amount: presentAmount(
      some.reduce((sum, { refund }) => sum + refund.payoutAmount, 0n),
      { ...getCurrency(asset.currencyCode), decimals: asset.decimals },
    ),
    token: tokenOf(chain.family, asset),
  }));
}
