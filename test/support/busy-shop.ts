import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import { ownAddress } from './dashboard.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './shop.js';
import { addressesOf, newAccount } from './wallets-api.js';

const DAY = 86_400;
/** US cents, of orders that were paid on the days before. */
const EARLIER_DAYS = [[4_200], [1_850, 2_990], [8_900]];

/** A shop with orders in every state, of the last days and of today; its owner is the operator, too. */
export interface BusyShop {
  shop: Shop;
  application: ShopApplication;
  /** An order of which a part was paid. */
  short: CreatedPayment;
}

export async function openBusyShop(): Promise<BusyShop> {
  const shop = await Shop.open(await ownAddress());
  await shop.gateway.get(UsersService).setOperator(shop.owner.userId, true);
  const application = await shop.application({ name: 'Harbor Coffee' });
  const wallet = `/api/payment-applications/${application.id}/wallets/evm`;
  const key = newAccount();
  for (const [path, body] of [
    [wallet, { extendedPublicKey: key.publicExtendedKey }],
    [`${wallet}/comparison`, { addresses: addressesOf(key) }],
  ] as const) {
    const set = await shop.call('PUT', path, shop.owner.accessToken, body);
    if (set.status >= 300) throw new Error(`no wallet: ${JSON.stringify(set.body)}`);
  }
  let number = 1_035;
  const order = (amount: number) => {
    number++;
    const names = { reference: `#${number}`, referenceLabel: 'Espresso' };
    return shop.createPayment(application, { amount, ...names });
  };
  for (const amounts of EARLIER_DAYS) {
    for (const [index, amount] of amounts.entries()) {
      const instructions = await shop.instructions(await order(amount), index === 1 ? 'eth' : 'usdc');
      await shop.wait(35 + index * 20);
      await shop.send(instructions);
    }
    await shop.mine(CONFIRMATIONS);
    await shop.wait(DAY);
    // A node whose newest block is old is behind its network, and nothing is offered on it.
    await shop.mine();
  }
  const [first, second, late, over] = [
    await order(2_490),
    await order(12_900),
    await order(890),
    await order(4_200),
  ];
  const short = await order(6_400);
  await order(1_750);
  await shop.send(await shop.instructions(first, 'usdc'));
  await shop.send(await shop.instructions(second));
  await shop.send(await shop.instructions(over, 'usdc'), 60_000_000n);
  await shop.send(await shop.instructions(short, 'usdc'), 40_000_000n);
  await shop.mine(CONFIRMATIONS);
  await shop.send(await shop.instructions(late, 'usdc'));
  await shop.mine(2);
  return { shop, application, short };
}
