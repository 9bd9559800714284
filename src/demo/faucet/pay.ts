import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { environment } from '../../config.js';
import { CheckoutClient } from './checkout-client.js';
import { DevChains } from './dev-chains.js';
import { FaucetError } from './dev-wallet.js';
import { PAY_USAGE, parsePayArguments, type PayOrder, PayUsageError } from './pay-arguments.js';
import { findTarget, payTo, type Target, waitForChange } from './target.js';

interface Terminal {
  write(text: string): void;
  writeError(text: string): void;
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
  const target = await findTarget(checkout, chains, order);
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

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await pay(process.argv.slice(2), environment, {
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  });
}
