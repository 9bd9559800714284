import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { environment } from '../../config.js';
import { CheckoutClient, type CheckoutInstructions } from './checkout-client.js';
import { DevChains } from './dev-chains.js';
import { type DevWallet, FaucetError } from './dev-wallet.js';
import { amountToSend, PAY_USAGE, parsePayArguments, type PayOrder, PayUsageError } from './pay-arguments.js';
import { poll } from './poll.js';

const SEEN_TIMEOUT_MS = 30_000;

interface Terminal {
  write(text: string): void;
  writeError(text: string): void;
}

/** The recipient, chain and amount of a payment. */
interface Target {
  chain: string;
  wallet: DevWallet;
  address: string;
  asset: string;
  amount: bigint;
}

/**
 * The faucet of the development profile: pays a checkout as a customer would, on the running chains, and simulates the
 * mistakes of customers and the reorganizations of chains.
 * @returns the exit code
 */
export async function pay(args: string[], env: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  try {
    const order = parsePayArguments(args);
    if (order) await carryOut(order, env, (line) => terminal.write(`${line}\n`));
    else terminal.write(PAY_USAGE);
    return 0;
  } catch (error) {
    if (error instanceof PayUsageError) terminal.writeError(`${error.message}\n\n${PAY_USAGE}`);
    else if (error instanceof FaucetError) terminal.writeError(`${error.message}\n`);
    else throw error;
    return 1;
  }
}

async function carryOut(order: PayOrder, env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const chains = await DevChains.read(env['DATA_DIR'] || '.data');
  if (!chains.isOwn(order.checkoutUrl)) {
    throw new FaucetError(`${order.checkoutUrl.origin} is not the gateway that runs here`);
  }
  const checkout = new CheckoutClient(order.checkoutUrl);
  const instructions = await readInstructions(checkout, chains, order);
  const target = targetOf(chains, instructions, order);
  const before = await checkout.status();
  const txHash = await send(target, order, checkout, before, say);
  if (order.isTwice) say(`again           ${await payTo(target)}`);
  if (order.reorg !== null) {
    await target.wallet.waitUntilMined(txHash);
    say('mined');
    if (!order.isWrongNetwork) await waitForChange(checkout, before);
    await target.wallet.reorg(order.reorg);
    say(
      `reorg           ${order.reorg} blocks of ${target.chain} were removed; the payment is unconfirmed again`,
    );
  }
  if (order.isWrongNetwork) return;
  say(
    `payment is      ${order.reorg === null ? await waitForChange(checkout, before) : await checkout.status()}`,
  );
}

/** Of the method on the command line, or else the customer's selection, or else the first that can be paid here. */
async function readInstructions(
  checkout: CheckoutClient,
  chains: DevChains,
  { method: wanted }: PayOrder,
): Promise<CheckoutInstructions> {
  if (wanted) return checkout.instructions(wanted.provider, wanted.method);
  const payable = (await checkout.methods()).filter(
    (one) => one.available && chains.findWallet(one.provider),
  );
  const chosen = payable.find(({ selected }) => selected) ?? payable[0];
  if (!chosen) throw new FaucetError('no method of this checkout can be paid on the development chains');
  return checkout.instructions(chosen.provider, chosen.method);
}

function targetOf(
  chains: DevChains,
  { provider, method, address, token, amount, remainingAmount }: CheckoutInstructions,
  order: PayOrder,
): Target {
  const chain = order.isWrongNetwork ? chains.findOtherEvmChain(provider) : provider;
  if (!chain)
    throw new FaucetError(`a payment on ${provider} cannot go to another network: its addresses differ`);
  const wallet = chains.findWallet(chain);
  if (!wallet) throw new FaucetError(`the development profile has no ${chain}`);
  const asset = order.isWrongNetwork
    ? (chains.findEvmAsset(chain, method) ?? 'native')
    : (token?.contractAddress ?? 'native');
  const remaining = BigInt(remainingAmount.atomic);
  // If nothing is due any more, the full amount is paid again.
  const due = remaining > 0n ? remaining : BigInt(amount.atomic);
  return { chain, wallet, address, asset, amount: amountToSend(due, order.amount) };
}

async function send(
  target: Target,
  { isReplaced }: PayOrder,
  checkout: CheckoutClient,
  before: string,
  say: (line: string) => void,
): Promise<string> {
  const { wallet, address, asset, amount, chain } = target;
  say(`paying          ${amount} units to ${address} on ${chain}`);
  if (!isReplaced) {
    const txHash = await payTo(target);
    say(`transaction     ${txHash}`);
    return txHash;
  }
  const { replaced, txHash } = await wallet.payAndReplace(address, asset, amount, async () => {
    await waitForChange(checkout, before);
  });
  say(`transaction     ${replaced}`);
  say(`replaced by     ${txHash}`);
  return txHash;
}

function payTo({ wallet, address, asset, amount }: Target): Promise<string> {
  return wallet.pay(address, asset, amount);
}

/** Waits until the gateway has seen the payment. One that was seen before, or is closed, does not change. */
async function waitForChange(checkout: CheckoutClient, before: string): Promise<string> {
  if (before !== 'OPEN') return checkout.status();
  return poll('the gateway sees the payment', SEEN_TIMEOUT_MS, async () => {
    const status = await checkout.status();
    return status === before ? null : status;
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await pay(process.argv.slice(2), environment, {
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  });
}
