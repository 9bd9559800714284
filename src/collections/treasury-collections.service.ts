import { Injectable } from '@nestjs/common';
import type { AccountReader } from '../chains/account-reader.pure.js';
import { groupedBy } from '../chains/chain-auditor.pure.js';
import type { Chain, ChainAsset } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { derivationOf } from '../checkout/payment-addresses.service.js';
import { getCurrency } from '../money/currencies.js';
import { type Decimal, parseRate, pricedAmountFor } from '../money/money.js';
import { presentAmount } from '../money/present-amount.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { RatesService } from '../rates/rates.service.js';
import { type Collection, collectionsOf, deployFactoryCall } from '../wallets/collection.pure.js';
import { DepositAddressesService, type KeyPlace } from '../wallets/deposit-addresses.service.js';
import { HoldingsService } from '../wallets/holdings.service.js';
import { safeBatchOf } from '../wallets/safe-batch.pure.js';
import { COLLECTOR_FACTORY, type Treasury } from '../wallets/treasury/treasury-address.pure.js';
import type { CollectionContract, LeftOutContract } from './collection.contract.js';
import { type HeldCoin, type WorthTerms, worthOf } from './deposit-worth.pure.js';
import { type KeyedDeposit, SigningPlans } from './keyed/signing-plans.service.js';
import type { LeftOutReason } from './left-out.pure.js';
import type { PaidAddress } from './received.repository.js';
import type {
  CollectedAmountContract,
  SafeBatchContract,
  TreasuryCollectionContract,
} from './treasury-collection.contract.js';

export interface TreasuryTerms {
  /** Codes; null: all. */
  coins: readonly string[] | null;
  /** US cents. */
  minimum: bigint;
}

/** What is compared: US dollars with this many decimals, because gas costs less than cents. */
const VALUE = { code: 'USD', decimals: 12 };
const CENT = 10n ** 10n;
/** Transactions that a Safe signs at once, and their gas: Ethereum lets a transaction have 16.7 million (EIP-7825). */
const SAFE_CALLS = 3;
const SAFE_GAS = 15_000_000n;
const NATIVE = 'native';

/** A coin on a deposit address. */
type Held = HeldCoin & { coin: ChainAsset; paid: PaidAddress };
interface Deposit {
  place: KeyPlace & { treasury: Treasury };
  held: Held[];
}

/**
 * Transactions that pay what lies on deposit addresses to their treasuries: what the node says now is there, nothing is
 * stored, and the contract takes no more than is there (docs/decisions/0895-ask-the-chain-what-to-collect.md).
 */
@Injectable()
export class TreasuryCollections {
  constructor(
    private readonly chains: ChainsService,
    private readonly addresses: DepositAddressesService,
    private readonly holdings: HoldingsService,
    private readonly rates: RatesService,
    private readonly signing: SigningPlans,
    private readonly clock: Clock,
  ) {}

  async of(
    chain: Chain,
    reader: AccountReader,
    paid: readonly PaidAddress[],
    { coins, minimum }: TreasuryTerms,
  ): Promise<Omit<CollectionContract, 'psbts' | 'next'>> {
    const places = await this.addresses.locateKeys(paid.map(({ depositAddressId }) => depositAddressId));
    const leftOut: LeftOutContract[] = [];
    const leave = (held: Pick<Held, 'coin' | 'paid'> & { amount: bigint | null }, reason: LeftOutReason) =>
      leftOut.push(this.presentLeft(chain, held, places.get(held.paid.depositAddressId), reason));
    const assets = chain.assets.filter(
      ({ asset, currencyCode }) => coins === null || asset === NATIVE || coins.includes(currencyCode),
    );
    const rates = await this.ratesOf(assets);
    const balances = await reader.balances(
      assets.map(({ asset }) => asset),
      paid.map(({ key }) => key),
    );
    const keyed: KeyedDeposit<Held>[] = [];
    const deposits = paid.flatMap((one, i): Deposit[] => {
      const place = places.get(one.depositAddressId);
      const held: Held[] = [];
      for (const [j, coin] of assets.entries()) {
        const amount = balances[i]?.[j] ?? null;
        if (amount === null) leave({ coin, paid: one, amount }, 'unread');
        else if (amount > 0n)
          held.push({
            coin,
            paid: one,
            asset: coin.asset,
            amount,
            value: valueOf(amount, coin, rates),
            isRefused: false,
          });
      }
      // A coin that nobody asked for comes along with a token only.
      const isAsked = held.some(({ coin }) => coins === null || coins.includes(coin.currencyCode));
      if (!isAsked) return [];
      if (place?.treasury) return [{ place: { ...place, treasury: place.treasury }, held }];
      if (place) keyed.push({ place, held });
      else for (const coin of held) leave(coin, 'key_unavailable');
      return [];
    });
    await this.markRefused(reader, deposits);
    const gasPrice = await reader.gasPrice();
    const terms = { gasValue: gasValueOf(chain, gasPrice, rates), minimum: minimum * CENT };
    const kept = deposits.flatMap((deposit) => {
      const { collected, leftOut: left } = worthOf(deposit.held, terms);
      for (const { coin, reason } of left) leave(coin, reason);
      return collected.length > 0 ? [{ ...deposit, held: collected }] : [];
    });
    const { plans, leftOut: ofKeys } = await this.signing.of(chain, reader, keyed, terms);
    for (const { coin, reason } of ofKeys) leave(coin, reason);
    const held = [...deposits, ...keyed].flatMap((deposit) => deposit.held);
    const unpriced = new Set(held.flatMap(({ coin, value }) => (value === null ? [coin.currencyCode] : [])));
    if (held.length > 0 && terms.gasValue === null) unpriced.add(nativeOf(chain).currencyCode);
    return {
      ...(await this.present(chain, reader, kept, gasPrice)),
      plans,
      leftOut,
      unpriced: [...unpriced],
    };
  }

  private async ratesOf(assets: readonly ChainAsset[]): Promise<Map<string, Decimal>> {
    const codes = [...new Set(assets.map(({ currencyCode }) => currencyCode))];
    const rates = await Promise.all(codes.map((code) => this.rates.findRate(code, VALUE.code)));
    return new Map(rates.flatMap((rate) => (rate ? [[rate.base, parseRate(rate.value)] as const] : [])));
  }

  private async markRefused(reader: AccountReader, deposits: readonly Deposit[]): Promise<void> {
    const tokens = deposits.flatMap(({ place, held }) =>
      held.flatMap((coin) => (coin.asset === NATIVE ? [] : [{ coin, to: place.treasury.address }])),
    );
    const refused = await reader.refusals(
      tokens.map(({ coin: { asset, amount, paid } }) => ({ asset, amount, key: paid.key })),
      tokens.map(({ to }) => to),
    );
    for (const [i, { coin }] of tokens.entries()) coin.isRefused = refused[i] === true;
  }

  private async present(
    chain: Chain,
    reader: AccountReader,
    deposits: readonly Deposit[],
    gasPrice: bigint | null,
  ): Promise<Pick<CollectionContract, 'transactions' | 'safeBatches' | 'deployment' | 'expected'>> {
    const byAddress = new Map(deposits.map((deposit) => [deposit.place.address, deposit]));
    const collections = collectionsOf(
      deposits.map(({ place, held }) => ({
        treasury: place.treasury,
        index: place.derivationIndex,
        tokens: held.flatMap(({ asset }) => (asset === NATIVE ? [] : [asset])),
      })),
    );
    const isThere =
      collections.length === 0 || (await this.chains.isContract(chain.slug, keyOf(COLLECTOR_FACTORY)));
    // A call of nothing would succeed.
    const gas =
      isThere === true
        ? await reader.gas(
            collections.map(({ treasury, call }) => ({
              from: treasury.address,
              to: call.to,
              data: call.data,
            })),
          )
        : [];
    const transactions = collections.map((collection, i): TreasuryCollectionContract => {
      const estimate = gas[i] ?? null;
      const own = collection.deposits.flatMap(({ address }) => byAddress.get(address) ?? []);
      return {
        ...collection.call,
        treasury: collection.treasury.address,
        keyOwner: own[0]?.place.keyOwner ?? 'application',
        gasLimit: estimate === null ? null : Number((estimate * 6n) / 5n),
        fee:
          estimate === null || gasPrice === null
            ? null
            : presentAmount(estimate * gasPrice, currencyOf(nativeOf(chain))),
        deposits: collection.deposits.length,
        expected: this.presentSums(
          chain,
          own.flatMap(({ held }) => held),
        ),
      };
    });
    return {
      transactions,
      safeBatches: await this.safeBatches(chain, collections, gas),
      deployment: isThere === false ? deployFactoryCall() : null,
      expected: this.presentSums(
        chain,
        deposits.flatMap(({ held }) => held),
      ),
    };
  }

  /** For the treasuries that are contracts: no other may call through one. */
  private async safeBatches(
    chain: Chain,
    collections: readonly Collection[],
    gas: readonly (bigint | null)[],
  ): Promise<SafeBatchContract[]> {
    const sized = collections.map((collection, i) => ({ collection, gas: gas[i] ?? SAFE_GAS }));
    const batches: SafeBatchContract[] = [];
    for (const [safe, own] of groupedBy(sized, ({ collection }) => collection.treasury.address)) {
      if ((await this.chains.isContract(chain.slug, keyOf(safe))) !== true) continue;
      for (const some of packed(own)) {
        const calls = some.map(({ collection }) => collection.call);
        const deposits = some.reduce((sum, { collection }) => sum + collection.deposits.length, 0);
        const name = `Collect ${deposits} deposits on ${chain.name}`;
        const createdAt = this.clock.now().getTime();
        const file = safeBatchOf({ chainId: chain.chainId ?? 0, safe, name, createdAt, calls });
        batches.push({ treasury: safe, deposits, file: JSON.stringify(file) });
      }
    }
    return batches;
  }

  private presentSums(chain: Chain, held: readonly Held[]): CollectedAmountContract[] {
    return [...groupedBy(held, ({ asset }) => asset).values()].flatMap((some) => {
      const [first] = some;
      if (!first) return [];
      const sum = some.reduce((total, { amount }) => total + amount, 0n);
      return [{ amount: presentAmount(sum, currencyOf(first.coin)), token: this.tokenOf(chain, first.coin) }];
    });
  }

  private presentLeft(
    chain: Chain,
    { coin, paid, amount }: Pick<Held, 'coin' | 'paid'> & { amount: bigint | null },
    place: KeyPlace | undefined,
    reason: LeftOutReason,
  ): LeftOutContract {
    return {
      address: paid.address,
      amount: amount === null ? null : presentAmount(amount, currencyOf(coin)),
      token: this.tokenOf(chain, coin),
      txHash: null,
      derivation: place ? derivationOf(place) : null,
      reason,
    };
  }

  private tokenOf({ slug }: Chain, { asset, decimals }: ChainAsset) {
    return this.holdings.tokenOf({ chain: slug, asset, assetDecimals: decimals });
  }
}

function packed<Sized extends { gas: bigint }>(all: readonly Sized[]): Sized[][] {
  const batches: Sized[][] = [];
  let left = 0n;
  for (const one of all) {
    const last = batches.at(-1);
    if (last && last.length < SAFE_CALLS && one.gas <= left) last.push(one);
    else {
      batches.push([one]);
      left = SAFE_GAS;
    }
    left -= one.gas;
  }
  return batches;
}

function valueOf(
  amount: bigint,
  { currencyCode, decimals }: ChainAsset,
  rates: ReadonlyMap<string, Decimal>,
) {
  const rate = rates.get(currencyCode);
  if (!rate) return null;
  return pricedAmountFor({
    assetAmount: amount,
    assetDecimals: decimals,
    rate,
    pricedDecimals: VALUE.decimals,
  });
}

function gasValueOf(
  chain: Chain,
  gasPrice: bigint | null,
  rates: ReadonlyMap<string, Decimal>,
): WorthTerms['gasValue'] {
  const coin = nativeOf(chain);
  if (gasPrice === null || !rates.has(coin.currencyCode)) return null;
  return (gas) => valueOf(gas * gasPrice, coin, rates) ?? 0n;
}

function nativeOf({ slug, assets }: Chain): ChainAsset {
  const coin = assets.find(({ asset }) => asset === NATIVE);
  if (!coin) throw new Error(`${slug} has no coin`);
  return coin;
}

const currencyOf = ({ currencyCode, decimals }: ChainAsset) => ({ ...getCurrency(currencyCode), decimals });
const keyOf = (address: string) => Buffer.from(address.slice(2), 'hex');
