import type { PaymentInstructionsContract } from '../../src/checkout/payment-instructions.contract.js';
import type { EngineDriver } from './chain-driver.js';
import type { CreatedPayment, Shop } from './shop.js';

/** A gateway with everything around, one chain of it driven by the test, and a faulty proxy in front of that chain's node. */
export interface EngineHarness {
  shop: Shop;
  slug: string;
  /** Of the chain's native coin, as the checkout writes it. */
  method: string;
  confirmations: number;
  driver: EngineDriver;
  /** The key of a shown address, worked out from the merchant's account. @throws Error when it is not of that account */
  keyOf(instructions: PaymentInstructionsContract): Buffer;
  /** Hands in all that a payment asks for, in as many ways as the chain knows. */
  payFully(payment: CreatedPayment): Promise<void>;
  /** One transaction that seems to pay and does not; only where there is such a thing. */
  payInVain?(key: Buffer, amount: bigint): Promise<unknown>;
  /** The node forgets a transaction that waits; answers how it hears of it again. */
  forget(txHash: string): Promise<() => Promise<unknown>>;
  /** The gateway's node breaks down at the call after these, and stays so. */
  breakAfter(calls: number): void;
  /** Responses that were wrong or missing since {@link EngineHarness.clearFaults}. */
  faulted(): number;
  clearFaults(): void;
  close(): Promise<void>;
}

/** Something that a node says wrongly. */
export interface Fault<W extends EngineHarness = EngineHarness> {
  name: string;
  /**
   * What a gateway without another endpoint does with a payment; sees: finds it in a block, and counts nothing;
   * either: as luck has it.
   */
  meanwhile: 'waits' | 'sees' | 'credits' | 'either';
  begin(harness: W): unknown;
}
