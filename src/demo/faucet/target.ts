import type { CheckoutClient, CheckoutInstructions } from './checkout-client.js';
import type { DevChains } from './dev-chains.js';
import { type DevWallet, FaucetError } from './dev-wallet.js';
import { amountToSend, type PayOrder } from './pay-arguments.js';
import { poll } from './poll.js';

const SEEN_TIMEOUT_MS = 30_000;

/** The recipient, chain and amount of a payment. */
export interface Target {
  chain: string;
  wallet: DevWallet;
  address: string;
  asset: string;
  amount: bigint;
}

/** The part of a {@link PayOrder} that decides where the money goes. */
type Aim = Pick<PayOrder, 'amount' | 'isWrongNetwork' | 'method'>;

/** What a customer who makes this payment, or this mistake, would send. @throws FaucetError if it cannot be sent */
export async function findTarget(checkout: CheckoutClient, chains: DevChains, aim: Aim): Promise<Target> {
  const { provider, method } = aim.method ?? (await findMethod(checkout, chains));
  return targetOf(chains, await checkout.instructions(provider, method), aim);
}

/** The customer's selection, or else the first method that can be paid here. */
export async function findMethod(
  checkout: CheckoutClient,
  chains: DevChains,
): Promise<{ provider: string; method: string }> {
  const payable = (await checkout.methods()).filter(
    (one) => one.available && chains.findWallet(one.provider),
  );
  const chosen = payable.find(({ selected }) => selected) ?? payable[0];
  if (!chosen) throw new FaucetError('no method of this checkout can be paid on the development chains');
  return chosen;
}

function targetOf(
  chains: DevChains,
  { provider, method, address, token, amount, remainingAmount }: CheckoutInstructions,
  aim: Aim,
): Target {
  const chain = aim.isWrongNetwork ? chains.findOtherEvmChain(provider) : provider;
  if (!chain)
    throw new FaucetError(`a payment on ${provider} cannot go to another network: its addresses differ`);
  const wallet = chains.findWallet(chain);
  if (!wallet) throw new FaucetError(`the development profile has no ${chain}`);
  const asset = aim.isWrongNetwork
    ? (chains.findEvmAsset(chain, method) ?? 'native')
    : (token?.contractAddress ?? 'native');
  const remaining = BigInt(remainingAmount.atomic);
  // If nothing is due any more, the full amount is paid again.
  const due = remaining > 0n ? remaining : BigInt(amount.atomic);
  return { chain, wallet, address, asset, amount: amountToSend(due, aim.amount) };
}

export function payTo({ wallet, address, asset, amount }: Target): Promise<string> {
  return wallet.pay(address, asset, amount);
}

/** Waits until the gateway has seen the payment. One that was seen before, or is closed, does not change. */
export async function waitForChange(checkout: CheckoutClient, before: string): Promise<string> {
  if (before !== 'OPEN') return checkout.status();
  return poll('the gateway sees the payment', SEEN_TIMEOUT_MS, async () => {
    const status = await checkout.status();
    return status === before ? null : status;
  });
}
