import { Injectable } from '@nestjs/common';
import type { AccountReader, GasFees } from '../../chains/account-reader.pure.js';
import { groupedBy } from '../../chains/chain-auditor.pure.js';
import type { Chain, ChainAsset } from '../../chains/chain.pure.js';
import { addressPath } from '../../wallets/account-path.pure.js';
import { DepositAddressesService, type KeyPlace } from '../../wallets/deposit-addresses.service.js';
import { type HeldCoin, type WorthTerms, worthOf } from '../deposit-worth.pure.js';
import type { LeftOutReason } from '../left-out.pure.js';
import { feeCapOf, fundingOf, needsOf, type SigningTerms } from './signing-needs.pure.js';
import { SIGNING_PLAN, type SigningPlanContract } from './signing-plan.contract.js';

/** What lies on an address that has a key. */
export interface KeyedDeposit<Coin extends KeyedCoin = KeyedCoin> {
  place: KeyPlace;
  held: Coin[];
}
export type KeyedCoin = HeldCoin & { coin: ChainAsset; paid: { key: Buffer; isOpen: boolean } };

export interface KeyedCollection<Coin extends KeyedCoin> {
  plans: SigningPlanContract[];
  leftOut: { coin: Coin; reason: LeftOutReason }[];
}

const NATIVE = 'native';
const TRANSFER = '0xa9059cbb';
/** Gas of a transfer to a plain account (Yellow Paper, G_transaction), and of a token's where no node says it. */
const TRANSFER_GAS = 21_000n;
/** Bytes of a signed transfer of a token, the longest that is signed. */
const TRANSACTION_BYTES = 190;

/**
 * What the offline signer needs to send everything from addresses that have keys. It learns only what the chain says and
 * the public key derives; nothing is stored (docs/decisions/0900-sign-away-from-the-gateway.md).
 */
@Injectable()
export class SigningPlans {
  constructor(private readonly addresses: DepositAddressesService) {}

  /** Everything that is there is in a plan, left out with its reason, or `of_key` where a node does not say enough. */
  async of<Coin extends KeyedCoin>(
    chain: Chain,
    reader: AccountReader,
    deposits: readonly KeyedDeposit<Coin>[],
    worth: WorthTerms,
  ): Promise<KeyedCollection<Coin>> {
    const all: KeyedCollection<Coin> = { plans: [], leftOut: [] };
    const fees = deposits.length > 0 ? await reader.fees() : null;
    for (const [walletId, own] of groupedBy(deposits, ({ place }) => place.walletId)) {
      const account = await this.addresses.findFeeAccount(walletId);
      const some = account && fees && (await this.ofKey({ chain, reader, fees, worth }, account, own));
      all.plans.push(...(some?.plans ?? []));
      all.leftOut.push(
        ...(some?.leftOut ??
          own.flatMap(({ held }) => held.map((coin) => ({ coin, reason: 'of_key' as const })))),
      );
    }
    return all;
  }

  /** Null: a node does not say what is needed. */
  private async ofKey<Coin extends KeyedCoin>(
    { chain, reader, fees, worth }: { chain: Chain; reader: AccountReader; fees: GasFees; worth: WorthTerms },
    account: { key: Buffer; address: string },
    deposits: readonly KeyedDeposit<Coin>[],
  ): Promise<KeyedCollection<Coin> | null> {
    const gas = await this.tokenGas(
      reader,
      account.address,
      deposits.flatMap(({ held }) => held),
    );
    const leftOut: KeyedCollection<Coin>['leftOut'] = [];
    const kept = deposits.flatMap(({ place, held }) => {
      const found = worthOf(held, { ...worth, depositGas: TRANSFER_GAS });
      leftOut.push(...found.leftOut, ...found.collected.map((coin) => ({ coin, reason: 'of_key' as const })));
      return found.collected.length > 0 ? [{ place, held, collected: found.collected }] : [];
    });
    const [first] = kept;
    if (!first) return { plans: [], leftOut };
    const counts = await reader.counts([account.key, ...kept.map(({ place }) => place.key)]);
    const balances = await reader.balances([NATIVE], [account.key]);
    const dataFee = await reader.dataFee(TRANSACTION_BYTES);
    const [transferGas] = await reader.gas([
      { from: hexOf(first.place.key), to: account.address, data: '0x', value: '0x0' },
    ]);
    const balance = balances[0]?.[0] ?? null;
    if (counts === null || balance === null || dataFee === null) return null;
    const terms: SigningTerms = {
      cap: feeCapOf(fees),
      // On plain chains the node says 21,000, which is exact; on those that count data as gas it moves.
      transferGas: limitOf(transferGas ?? TRANSFER_GAS),
      dataFee: 2n * dataFee,
    };
    const addresses = kept.flatMap(({ place, held, collected }, i) => {
      const coin = held.find(({ asset }) => asset === NATIVE)?.amount ?? 0n;
      const tokens = collected.flatMap((one) => {
        const gasLimit = gas.get(one) ?? null;
        return one.asset === NATIVE || gasLimit === null ? [] : [{ one, gasLimit }];
      });
      const needs = needsOf({ balance: coin, tokenGas: tokens.map(({ gasLimit }) => gasLimit) }, terms);
      // Coin for fees would count for the price of a payment that is not paid yet.
      const isOpen = needs.lacking > 0n && held.some(({ paid }) => paid.isOpen);
      return isOpen ? [] : [{ place, coin, tokens, needs, nonce: counts[i + 1] ?? 0 }];
    });
    if (addresses.length === 0) return { plans: [], leftOut };
    const plan: SigningPlanContract = {
      form: SIGNING_PLAN,
      blockchain: chain.slug,
      chainId: chain.chainId ?? 0,
      currencyCode: chain.assets.find(({ asset }) => asset === NATIVE)?.currencyCode ?? '',
      keyFingerprint: first.place.keyFingerprint,
      accountPath: first.place.accountPath ?? '',
      keyOwner: first.place.keyOwner,
      fees: {
        gasPrice: String(fees.gasPrice),
        baseFee: fees.market && String(fees.market.baseFee),
        priorityFee: fees.market && String(fees.market.priorityFee),
        dataFee: String(terms.dataFee),
      },
      transferGas: Number(terms.transferGas),
      funding: {
        address: account.address,
        path: '1/0',
        nonce: counts[0] ?? 0,
        balance: String(balance),
        needed: String(
          fundingOf(
            addresses.map(({ needs }) => needs),
            terms,
          ),
        ),
      },
      addresses: addresses.map(({ place, coin, tokens, needs, nonce }) => ({
        address: place.address,
        index: place.derivationIndex,
        path: addressPath(place.derivationIndex),
        nonce,
        balance: String(coin),
        tokens: tokens.map(({ one, gasLimit }) => ({
          contract: one.asset,
          currencyCode: one.coin.currencyCode,
          decimals: one.coin.decimals,
          amount: String(one.amount),
          gasLimit: Number(gasLimit),
        })),
        fees: String(needs.fees),
        lacking: String(needs.lacking),
      })),
    };
    return { plans: [plan], leftOut };
  }

  /**
   * The limit of each token's transfer, to an account that has none of it, where it costs most. Marks what the token
   * refuses, and what it uses.
   */
  private async tokenGas<Coin extends KeyedCoin>(
    reader: AccountReader,
    to: string,
    held: readonly Coin[],
  ): Promise<Map<Coin, bigint>> {
    const tokens = held.filter(({ asset }) => asset !== NATIVE);
    const refused = await reader.refusals(
      tokens.map(({ asset, amount, paid }) => ({ asset, amount, key: paid.key })),
      tokens.map(() => to),
    );
    const open = tokens.filter((_token, i) => refused[i] !== true);
    const used = await reader.gas(
      open.map(({ asset, amount, paid }) => ({
        from: hexOf(paid.key),
        to: asset,
        data: `${TRANSFER}${to.slice(2).toLowerCase().padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`,
      })),
    );
    for (const [i, token] of tokens.entries()) token.isRefused = refused[i] === true;
    const limits = new Map<Coin, bigint>();
    for (const [i, token] of open.entries()) {
      const gas = used[i] ?? null;
      if (gas === null) continue;
      token.gas = gas;
      limits.set(token, limitOf(gas));
    }
    return limits;
  }
}

/** A fifth more than the estimate, but for a plain transfer, which always uses the same. */
function limitOf(gas: bigint): bigint {
  return gas === TRANSFER_GAS ? gas : (gas * 6n) / 5n;
}

const hexOf = (key: Buffer) => `0x${key.toString('hex')}`;
