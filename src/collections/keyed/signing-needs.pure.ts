import type { GasFees } from '../../chains/account-reader.pure.js';

/*
 * What the transactions of a signing plan cost and move. The gateway says it in the plan, and the program that signs
 * (sdk/src/collect) computes it again by the same rules.
 */

/** The most that a transaction pays for a unit of gas; tip null: a transaction with a price (EIP-155). */
export interface FeeCap {
  price: bigint;
  tip: bigint | null;
}

/** What is the same for all transactions of a plan. */
export interface SigningTerms {
  cap: FeeCap;
  /** The limit of gas of a transfer of the coin. */
  transferGas: bigint;
  /** The same of a transfer to the destination; default: that of any. */
  coinGas?: bigint;
  /** What a rollup takes for the data of one transaction, besides gas. */
  dataFee: bigint;
}

export interface SigningAccount {
  /** Of the coin. */
  balance: bigint;
  /** The limit of gas of each token's transfer. */
  tokenGas: readonly bigint[];
}

/** All in the smallest unit of the coin. */
export interface AccountNeeds {
  /** What the address lacks for the fees of its tokens. */
  lacking: bigint;
  /** What of its coin is sent; 0: what remains costs as much to send as it is. */
  coin: bigint;
  /** The most that its own transactions cost. */
  fees: bigint;
}

/**
 * Six full blocks in a row double the base fee (EIP-1559: an eighth each). Twice it is enough for a while; what is not
 * used stays on the address. A price is paid whole, so a quarter more is all that is added.
 */
export function feeCapOf({ gasPrice, market }: GasFees): FeeCap {
  return market
    ? { price: 2n * market.baseFee + market.priorityFee, tip: market.priorityFee }
    : { price: (gasPrice * 5n) / 4n, tip: null };
}

export const feeOf = ({ cap, dataFee }: SigningTerms, gas: bigint): bigint => gas * cap.price + dataFee;

export function needsOf({ balance, tokenGas }: SigningAccount, terms: SigningTerms): AccountNeeds {
  const ofTokens = tokenGas.reduce((sum, gas) => sum + feeOf(terms, gas), 0n);
  if (balance < ofTokens) return { lacking: ofTokens - balance, coin: 0n, fees: ofTokens };
  const ofCoin = feeOf(terms, terms.coinGas ?? terms.transferGas);
  const rest = balance - ofTokens - ofCoin;
  return rest > ofCoin
    ? { lacking: 0n, coin: rest, fees: ofTokens + ofCoin }
    : { lacking: 0n, coin: 0n, fees: ofTokens };
}

/** What the account that pays the fees must hold: what the addresses lack, and the transfers to them. */
export function fundingOf(needs: readonly AccountNeeds[], terms: SigningTerms): bigint {
  return needs.reduce(
    (sum, { lacking }) => (lacking > 0n ? sum + lacking + feeOf(terms, terms.transferGas) : sum),
    0n,
  );
}
