import { Injectable } from '@nestjs/common';
import { groupedBy } from '../chains/chain-auditor.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import type { AmountContract } from '../money/amount.contract.js';
import { type Currency, getCurrency } from '../money/currencies.js';
import { type Decimal, parseRate } from '../money/money.js';
import { presentAmount } from '../money/present-amount.js';
import { Clock, toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { RatesService } from '../rates/rates.service.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { HoldingsService, type ReceivedAsset } from '../wallets/holdings.service.js';
import { type AddressCost, addressCosts, collectingOf, COMPARED, worthIn } from './collecting-cost.pure.js';
import type {
  HoldingAtReceiptContract,
  HoldingCollectingContract,
  HoldingContract,
} from './holding.contract.js';
import { type AssetKey, type HoldingSum, HoldingSumsRepository } from './holding-sums.repository.js';
import { type OwnSum, ReceivedRepository } from './received.repository.js';
import { NetworkFees, within } from './network-fees.service.js';

/** Seconds for which the sums of an application are shown: they read all of its transfers. */
const CACHE_SECONDS = 60;
/** Seconds after which what took too long is tried again. */
const RETRY_SECONDS = 20;
/** Applications whose sums are made at the same time; others wait. */
const AT_ONCE = 2;
/** Applications whose sums are kept. */
const MAX_KEPT = 1_000;
/** What a page waits for the sums, and for sources of rates. What comes later is for the next page. Milliseconds. */
const PATIENCE_MS = 3_000;
const NATIVE = 'native';

type Rates = ReadonlyMap<string, Decimal>;
/** What was added up, with the costs that it was compared with. */
interface Measured {
  costs: ReadonlyMap<string, AddressCost[]>;
  /** Null: it takes too long. */
  sums: (HoldingSum & { isCollectable: boolean })[] | null;
}

interface Kept {
  at: Date;
  /** For so many seconds. */
  seconds: number;
  measured: Promise<Measured>;
}
const UNKNOWN: Measured = { costs: new Map(), sums: null };

/** What an application has received, with what it is worth, was worth, and costs to collect. */
@Injectable()
export class ValuedHoldings {
  private readonly kept = new Map<string, Kept>();
  private readonly lanes: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  private lane = 0;

  constructor(
    private readonly holdings: HoldingsService,
    private readonly sums: HoldingSumsRepository,
    private readonly received: ReceivedRepository,
    private readonly addresses: DepositAddressesService,
    private readonly chains: ChainsService,
    private readonly fees: NetworkFees,
    private readonly rates: RatesService,
    private readonly clock: Clock,
  ) {}

  /** By blockchain and asset. @throws NotFoundError for a foreign application */
  async list(userId: string, applicationId: string, worthCode: string): Promise<HoldingContract[]> {
    const held = await this.holdings.list(userId, applicationId);
    if (held.length === 0) return [];
    const natives = held.flatMap(({ chain }) => this.nativeOf(chain)?.currencyCode ?? []);
    const codes = [...held.map(({ currencyCode }) => currencyCode), ...natives];
    const [rates, measured, own] = await Promise.all([
      this.ratesOf(codes, (code) => this.rates.findCrossRate(code, worthCode)),
      this.measuredOf(applicationId, held),
      this.received.listOwn(userId, applicationId),
    ]);
    return held.map((holding) => ({
      ...this.present(holding, { currency: getCurrency(worthCode), rates }, measured),
      ownFundsAmount: ownFundsOn(holding.chain, own),
    }));
  }

  /** The same sums for all who ask within a minute, unless an asset was added. */
  private async measuredOf(applicationId: string, held: readonly ReceivedAsset[]): Promise<Measured> {
    const key = JSON.stringify([applicationId, held.filter(({ confirmed }) => confirmed > 0n).map(keyOf)]);
    const known = this.kept.get(key);
    const age = known ? this.clock.now().getTime() - known.at.getTime() : Infinity;
    if (known && age < known.seconds * 1_000) return (await within(PATIENCE_MS, known.measured)) ?? UNKNOWN;
    return (await within(PATIENCE_MS, this.keep(key, this.measure(applicationId, held)))) ?? UNKNOWN;
  }

  /** A failure is that of the request alone. */
  private async keep(key: string, measured: Promise<Measured>): Promise<Measured> {
    const kept = { at: this.clock.now(), seconds: CACHE_SECONDS, measured };
    this.kept.delete(key);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, kept);
    try {
      const made = await measured;
      if (!made.sums) kept.seconds = RETRY_SECONDS;
      return made;
    } catch (error) {
      this.kept.delete(key);
      throw error;
    }
  }

  /** Behind what was begun before: many applications together do not take the database from others. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const lane = this.lane++ % AT_ONCE;
    const done = (this.lanes[lane] ?? Promise.resolve()).then(work);
    this.lanes[lane] = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  private async measure(applicationId: string, held: readonly ReceivedAsset[]): Promise<Measured> {
    const costs = await this.costsOf(held);
    const thresholds = held.flatMap(({ chain, asset, currencyCode, assetDecimals }) =>
      (costs.get(keyOf({ chain, asset, currencyCode, assetDecimals })) ?? []).flatMap(
        ({ keyLength, least }) =>
          least === null ? [] : [{ chain, asset, currencyCode, assetDecimals, keyLength, least }],
      ),
    );
    const sums = await this.inTurn(() => this.sums.find(applicationId, thresholds));
    const places = await this.addresses.locateKeys([
      ...new Set((sums ?? []).map(({ depositAddressId }) => depositAddressId)),
    ]);
    return {
      costs,
      sums:
        sums &&
        sums.map((sum) => {
          const place = places.get(sum.depositAddressId);
          const isOfAccounts = this.chains.findAccounts(sum.chain) !== null;
          const isCollectable = place !== undefined && (!isOfAccounts || place.treasury !== null);
          return { ...sum, isCollectable };
        }),
    };
  }

  /** By asset, of the chains that collections can be prepared for and whose node says the price. */
  private async costsOf(held: readonly ReceivedAsset[]): Promise<Map<string, AddressCost[]>> {
    const wanted = held.flatMap((holding) => {
      const chain = this.findCollected(holding);
      return chain ? [{ holding, chain }] : [];
    });
    const slugs = [...new Set(wanted.map(({ chain }) => chain.slug))];
    const codes = wanted.flatMap(({ holding, chain }) => [
      holding.currencyCode,
      this.nativeOf(chain.slug)?.currencyCode ?? holding.currencyCode,
    ]);
    const [fees, rates] = await Promise.all([
      Promise.all(slugs.map(async (slug) => [slug, await this.fees.find(slug)] as const)),
      this.ratesOf(codes, (code) => this.rates.findRate(code, COMPARED.code)),
    ]);
    const feeOf = new Map(fees);
    return new Map(
      wanted.flatMap(({ holding, chain }): [string, AddressCost[]][] => {
        const fee = feeOf.get(chain.slug) ?? null;
        const native = this.nativeOf(chain.slug);
        if (!fee || !native) return [];
        const coin = {
          asset: holding.asset,
          decimals: holding.assetDecimals,
          rate: rates.get(holding.currencyCode) ?? null,
        };
        const rate = rates.get(native.currencyCode) ?? null;
        return [[keyOf(holding), addressCosts(fee, coin, { ...native, rate })]];
      }),
    );
  }

  /** Null: nothing of it can be in a collection. */
  private findCollected({ chain: slug, asset }: ReceivedAsset): Chain | null {
    const chain = this.chains.find(slug);
    if (!chain || familyOf(chain.family).gatheringProblem(chain) !== null) return null;
    return chain.assets.some((one) => one.asset === asset) ? chain : null;
  }

  private nativeOf(slug: string) {
    return this.chains.find(slug)?.assets.find(({ asset }) => asset === NATIVE) ?? null;
  }

  /** Without those that nobody knows, or says soon. */
  private async ratesOf(
    codes: readonly string[],
    find: (code: string) => Promise<{ base: string; value: string } | null>,
  ): Promise<Rates> {
    const rates = await Promise.all([...new Set(codes)].map((code) => within(PATIENCE_MS, find(code))));
    return new Map(rates.flatMap((rate) => (rate ? [[rate.base, parseRate(rate.value)] as const] : [])));
  }

  private present(
    holding: ReceivedAsset,
    worth: { currency: Currency; rates: Rates },
    { costs, sums }: Measured,
  ): Omit<HoldingContract, 'ownFundsAmount'> {
    const {
      chain,
      currencyCode,
      assetDecimals: decimals,
      confirmed,
      pending,
      addresses,
      lastSeenAt,
    } = holding;
    const currency = { ...getCurrency(currencyCode), decimals };
    const own = sums && sums.filter((sum) => keyOf(sum) === keyOf(holding));
    return {
      blockchain: chain,
      currencyCode,
      token: this.holdings.tokenOf(holding),
      addressCount: addresses,
      receivedAmount: presentAmount(confirmed, currency),
      pendingAmount: presentAmount(pending, currency),
      worth: worthOf(confirmed, currency, worth, 'down'),
      atReceipt: own && atReceipt(own, currency),
      collecting: own && this.presentCollecting(own, costs.get(keyOf(holding)) ?? [], currency, worth),
      lastSeenAt: toIsoSeconds(lastSeenAt),
    };
  }

  private presentCollecting(
    sums: NonNullable<Measured['sums']>,
    costs: readonly AddressCost[],
    currency: Currency,
    worth: { currency: Currency; rates: Rates },
  ): HoldingCollectingContract | null {
    const [first] = sums;
    const native = first && this.nativeOf(first.chain);
    const found = collectingOf(
      sums.filter(({ isCollectable }) => isCollectable),
      costs,
    );
    if (!native || !found) return null;
    const coin = { ...getCurrency(native.currencyCode), decimals: native.decimals };
    const { cost, least, sum } = found;
    return {
      costPerAddress: presentAmount(cost, coin),
      costPerAddressWorth: worthOf(cost, coin, worth, 'up'),
      collectableFrom: least === null ? null : presentAmount(least, currency),
      collectableAddressCount: sum && sum.addresses,
      collectableAmount: sum && presentAmount(sum.amount, currency),
      totalCost: sum && presentAmount(sum.cost, coin),
      totalCostWorth: sum && worthOf(sum.cost, coin, worth, 'up'),
    };
  }
}

function atReceipt(sums: readonly HoldingSum[], currency: Currency): HoldingAtReceiptContract {
  const credited = [...groupedBy(sums, ({ pricedCode }) => pricedCode)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, some]) => presentAmount(total(some, 'credited'), getCurrency(code)))
    .filter(({ amount }) => amount !== 0n);
  return { credited, unvaluedAmount: presentAmount(total(sums, 'unvalued'), currency) };
}

function ownFundsOn(chain: string, own: readonly OwnSum[]): AmountContract | null {
  const found = own.find((one) => one.chain === chain);
  return found
    ? presentAmount(found.amount, { ...getCurrency(found.currencyCode), decimals: found.decimals })
    : null;
}

const total = (sums: readonly HoldingSum[], field: 'credited' | 'unvalued') =>
  sums.reduce((sum, one) => sum + one[field], 0n);

function worthOf(
  amount: bigint,
  coin: Currency,
  { currency, rates }: { currency: Currency; rates: Rates },
  rounding: 'up' | 'down',
): AmountContract | null {
  const worth = worthIn(
    amount,
    { decimals: coin.decimals, rate: rates.get(coin.code) ?? null },
    currency.decimals,
    rounding,
  );
  return worth === null ? null : presentAmount(worth, currency);
}

const keyOf = ({ chain, asset, currencyCode, assetDecimals }: AssetKey) =>
  JSON.stringify([chain, asset, currencyCode, assetDecimals]);
