import {
  feeCapOf,
  feeOf,
  fundingOf,
  needsOf,
  type SigningTerms,
} from '../../../src/collections/keyed/signing-needs.pure.js';
import type { PlanKeys, Signer } from './account-key.pure.js';
import type { Plan } from './plan.pure.js';
import { SIGNED_FORM, type SignedFile, type SignedTransaction } from './signed-file.pure.js';
import { type Transfer, transferCall, signTransfer } from './transaction.pure.js';

/** What its owner decides. */
export interface Choices {
  destination: string;
  /** The destination is a contract, as a Safe is, which uses gas when coin arrives. */
  isContract: boolean;
  /** With a price in place of EIP-1559. */
  isLegacy: boolean;
  /** Send what is left of the coin for fees, too. */
  takesRest: boolean;
}

/** A transaction that is not signed yet, and of whom. */
export interface Prepared {
  /** `fee`: coin for the fees of another address. */
  kind: 'fee' | 'token' | 'coin';
  /** Null: the account that pays the fees; otherwise the place of the address in the plan. */
  by: number | null;
  currencyCode: string;
  decimals: number;
  amount: bigint;
  /** The most that it costs. */
  fee: bigint;
  transfer: Transfer;
}

export interface Preparation {
  transactions: Prepared[];
  /** What the account that pays the fees lacks; 0: nothing. */
  missing: bigint;
  /** Addresses from which nothing is sent, because it costs more than there is. */
  idle: string[];
}

export const COIN_DECIMALS = 18;
/** A Safe's proxy logs what arrives: about 7,000 more than a plain transfer, and other contracts more. */
const CONTRACT_GAS = 40_000n;

/** The transactions in the order in which they are sent: coin for fees first, then each address by itself. */
export function prepare(plan: Plan, { destination, isContract, isLegacy, takesRest }: Choices): Preparation {
  const { chainId, transferGas, dataFee, currencyCode } = plan;
  const cap = feeCapOf(isLegacy ? { ...plan.fees, market: null } : plan.fees);
  const coinGas = isContract ? transferGas + CONTRACT_GAS : transferGas;
  const terms: SigningTerms = { cap, transferGas, coinGas, dataFee };
  const needs = plan.addresses.map(({ balance, tokens }) =>
    needsOf({ balance, tokenGas: tokens.map(({ gasLimit }) => gasLimit) }, terms),
  );
  const ofCoin = (
    kind: 'fee' | 'coin',
    by: number | null,
    nonce: bigint,
    to: string,
    value: bigint,
  ): Prepared => {
    const gasLimit = kind === 'fee' ? transferGas : coinGas;
    return {
      kind,
      by,
      currencyCode,
      decimals: COIN_DECIMALS,
      amount: value,
      fee: feeOf(terms, gasLimit),
      transfer: { chainId, nonce, gasLimit, cap, to, value, data: new Uint8Array() },
    };
  };
  const fundings = plan.addresses
    .flatMap(({ address }, i) => (needs[i]?.lacking ? [{ address, lacking: needs[i].lacking }] : []))
    .map(({ address, lacking }, i) => ofCoin('fee', null, plan.funding.nonce + BigInt(i), address, lacking));
  const needed = fundingOf(needs, terms);
  const rest = plan.funding.balance - needed - feeOf(terms, coinGas);
  const last = plan.funding.nonce + BigInt(fundings.length);
  const ofRest = takesRest && rest > 0n ? [ofCoin('coin', null, last, destination, rest)] : [];
  const ofAddresses = plan.addresses.map(({ nonce, tokens }, by): Prepared[] => {
    const sent = tokens.map(({ contract, gasLimit, amount, currencyCode: code, decimals }, i): Prepared => ({
      kind: 'token',
      by,
      currencyCode: code,
      decimals,
      amount,
      fee: feeOf(terms, gasLimit),
      transfer: {
        chainId,
        nonce: nonce + BigInt(i),
        gasLimit,
        cap,
        to: contract,
        value: 0n,
        data: transferCall(destination, amount),
      },
    }));
    const coin = needs[by]?.coin ?? 0n;
    const next = nonce + BigInt(tokens.length);
    return coin > 0n ? [...sent, ofCoin('coin', by, next, destination, coin)] : sent;
  });
  return {
    transactions: [...fundings, ...ofRest, ...ofAddresses.flat()],
    missing: needed > plan.funding.balance ? needed - plan.funding.balance : 0n,
    idle: plan.addresses.flatMap(({ address }, i) => (ofAddresses[i]?.length === 0 ? [address] : [])),
  };
}

/** The file that is sent from another machine. */
export function signAll(
  { chainId, blockchain }: Plan,
  { destination, isContract }: Choices,
  transactions: readonly Prepared[],
  keys: PlanKeys,
): SignedFile {
  const signerOf = (by: number | null): Signer => {
    const signer = by === null ? keys.funding : keys.addresses[by];
    if (!signer) throw new Error('a transaction of an address that is not in the plan');
    return signer;
  };
  return {
    form: SIGNED_FORM,
    blockchain,
    chainId: Number(chainId),
    destination,
    isContract,
    transactions: transactions.map(
      ({ kind, by, transfer, amount, currencyCode, decimals }): SignedTransaction => {
        const { address, privateKey } = signerOf(by);
        return {
          kind,
          from: address,
          to: kind === 'fee' ? transfer.to : destination,
          nonce: Number(transfer.nonce),
          amount: String(amount),
          currencyCode,
          decimals,
          ...signTransfer(transfer, privateKey),
        };
      },
    ),
  };
}
