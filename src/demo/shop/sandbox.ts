import type { Payment } from '../../../sdk/src/api-types.js';
import { CheckoutClient } from '../faucet/checkout-client.js';
import type { DevChains } from '../faucet/dev-chains.js';
import { type DevWallet, FaucetError } from '../faucet/dev-wallet.js';
import type { PayAmount } from '../faucet/pay-arguments.js';
import { findMethod, findTarget, payTo, waitForChange } from '../faucet/target.js';

/** Blocks that one press of the button takes back. */
export const BLOCKS_TAKEN_BACK = 5;

/** What the drawer can do to a payment, in the order of its buttons. */
export const SANDBOX_ACTIONS = {
  exact: 'Pay exactly',
  half: 'Half',
  more: 'Too much',
  'wrong-network': 'Wrong network',
  replace: 'Replace',
  reorg: `Take ${BLOCKS_TAKEN_BACK} blocks back`,
  mine: 'Mine a block',
} as const;
export type SandboxAction = keyof typeof SANDBOX_ACTIONS;

export function isSandboxAction(name: string): name is SandboxAction {
  return Object.hasOwn(SANDBOX_ACTIONS, name);
}

/** The part of the amount due that an action sends; the others send what is due. */
const AMOUNTS: Partial<Record<SandboxAction, PayAmount>> = { half: 'less', more: 'more' };

/** Plays the customer and the chain for a payment of the development profile, on the real nodes. */
export class Sandbox {
  constructor(private readonly chains: DevChains) {}

  /** @returns one sentence: what was done @throws FaucetError if it cannot be done, with the reason */
  async run(action: SandboxAction, payment: Payment): Promise<string> {
    const checkout = new CheckoutClient(new URL(payment.checkoutUrl));
    if (action === 'reorg') return this.takeBack(checkout, payment);
    if (action === 'mine') {
      const { chain, wallet } = await this.chainOf(checkout, payment);
      await wallet.mine();
      return `Mined a block of ${chain}.`;
    }
    return action === 'replace' ? this.replace(checkout) : this.pay(checkout, action);
  }

  private async pay(checkout: CheckoutClient, action: SandboxAction): Promise<string> {
    const aim = {
      amount: AMOUNTS[action] ?? 'exact',
      isWrongNetwork: action === 'wrong-network',
      method: null,
    };
    const target = await findTarget(checkout, this.chains, aim);
    return `Sent on ${target.chain}: transaction ${await payTo(target)}.`;
  }

  private async replace(checkout: CheckoutClient): Promise<string> {
    const aim = { amount: 'exact' as const, isWrongNetwork: false, method: null };
    const { chain, wallet, address, asset, amount } = await findTarget(checkout, this.chains, aim);
    const before = await checkout.status();
    const { replaced, txHash } = await wallet.payAndReplace(address, asset, amount, async () => {
      await waitForChange(checkout, before);
    });
    return `Sent on ${chain}: transaction ${replaced}, replaced by ${txHash} with a higher fee.`;
  }

  private async takeBack(checkout: CheckoutClient, payment: Payment): Promise<string> {
    const { chain, wallet } = await this.chainOf(checkout, payment);
    const back = payment.transactions.filter(
      ({ blockchain, confirmations }) =>
        blockchain === chain && confirmations > 0 && confirmations <= BLOCKS_TAKEN_BACK,
    );
    await wallet.reorg(BLOCKS_TAKEN_BACK);
    const done = `Took ${BLOCKS_TAKEN_BACK} blocks of ${chain} back.`;
    if (back.length === 0) return `${done} No transaction of this order was in them.`;
    const hashes = back.map(({ txHash }) => txHash).join(', ');
    return `${done} Unconfirmed again, and mined again soon: ${hashes}.`;
  }

  /** Where the money of a payment last moved, or else where it will be paid. */
  private async chainOf(
    checkout: CheckoutClient,
    { transactions }: Payment,
  ): Promise<{ chain: string; wallet: DevWallet }> {
    const chain = transactions.at(-1)?.blockchain ?? (await findMethod(checkout, this.chains)).provider;
    const wallet = this.chains.findWallet(chain);
    if (!wallet) throw new FaucetError(`the development profile has no ${chain}`);
    return { chain, wallet };
  }
}
