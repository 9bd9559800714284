import { toIsoSeconds } from '../platform/kernel/clock.pure.js';

/** What instructions promise (specification/instructions.md#instructions-statement). */
export interface InstructionsStatement {
  paymentId: string;
  /** The slug of the chain. */
  chain: string;
  /** EIP-155; null outside of EVM chains. */
  chainId: number | null;
  /** The code of the coin or token. */
  asset: string;
  /** As people see it; null for the native coin. */
  contract: string | null;
  decimals: number;
  address: string;
  memo: string | null;
  /** Smallest unit of the asset. */
  amount: bigint;
  expiresAt: Date;
}

/** That an address belongs to a payment (specification/instructions.md#deposit-address-statement). */
export interface DepositAddressStatement {
  paymentId: string;
  family: string;
  address: string;
}

/** The `typ` of the two kinds, so that one cannot pass for the other (RFC 8725, section 3.11). */
export type StatementType = 'payment-instructions+jws' | 'deposit-address+jws';

/** The signed bytes: version first, then every field in this order, also if null. */
export function encodeInstructions(statement: InstructionsStatement): string {
  const { paymentId, chain, chainId, asset, contract, decimals, address, memo } = statement;
  return JSON.stringify({
    v: 1,
    paymentId,
    chain,
    chainId,
    asset,
    contract,
    decimals,
    address,
    memo,
    amount: statement.amount.toString(),
    expiresAt: toIsoSeconds(statement.expiresAt),
  });
}

export function encodeDepositAddress({ paymentId, family, address }: DepositAddressStatement): string {
  return JSON.stringify({ v: 1, paymentId, family, address });
}
