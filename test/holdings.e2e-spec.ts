import { randomBytes } from 'node:crypto';
import { TransfersService } from '../src/payments/transfers/transfers.service.js';
import { createOwnerWithClient } from './support/principals.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

interface Holding {
  blockchain: string;
  currencyCode: string;
  token: { standard: string; contractAddress: string; decimals: number } | null;
  addressCount: number;
  receivedAmount: { atomic: string; formatted: string; decimals: number };
  pendingAmount: { atomic: string };
  lastSeenAt: string;
}

/** USDT of BNB Smart Chain, with 18 decimals there. */
const BSC_USDT = '0x55d398326f99059ff775485246999027b3197955';
const ETHER = 10n ** 18n;
let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  // The second node does not exist: its blocks are written below.
  shop = await Shop.open({ CHAIN_BSC_RPC_URL: 'http://127.0.0.1:9', CHAIN_BSC_CONFIRMATIONS: '1' });
});
beforeEach(async () => {
  application = await shop.application();
});
afterEach(async () => {
  expect(await kept()).toEqual(await recomputed());
});
afterAll(() => shop.close());

const ask = (id = application.id, token = shop.owner.accessToken) =>
  shop.call<Holding[]>('GET', `/api/payment-applications/${id}/holdings`, token);
const holdings = async () => (await ask()).body.data;
/** One line per asset: chain, confirmed amount, pending amount, number of addresses. */
const lines = async () =>
  (await holdings()).map(
    ({ blockchain, currencyCode, receivedAmount, pendingAmount, addressCount }) =>
      `${blockchain} ${currencyCode} ${receivedAmount.atomic} ${pendingAmount.atomic} ${addressCount}`,
  );
const COLUMNS = 'application_id, chain, asset, currency_code, asset_decimals';
const kept = () =>
  shop.gateway.sql.query(
    `select ${COLUMNS}, confirmed, pending, addresses from application_holdings order by ${COLUMNS}`,
  );
/** The same, summed from the transfers. */
const recomputed = () =>
  shop.gateway.sql.query(
    `select p.application_id, t.chain, t.asset, t.currency_code, t.asset_decimals,
       coalesce(sum(t.amount) filter (where t.state = 'confirmed'), 0) as confirmed,
       coalesce(sum(t.amount) filter (where t.state = 'pending'), 0) as pending,
       count(distinct t.deposit_address_id) filter (where t.state = 'confirmed') as addresses
     from payment_transfers t join payments p on p.id = t.payment_id
     group by ${COLUMNS.replace('chain', 't.chain').replace('currency_code', 't.currency_code')} order by ${COLUMNS}`,
  );
/** Records funds of any size in a block of BNB Smart Chain, with the confirmations that they require. */
async function mineOnBsc(payment: CreatedPayment, amounts: bigint[]): Promise<void> {
  const [address] = await shop.gateway.sql.query<{ id: string }>(
    'select id from deposit_addresses where payment_id = $1',
    [payment.id],
  );
  const block = { height: 100, hash: `0x${randomBytes(32).toString('hex')}`, time: shop.gateway.clock.now() };
  const transfers = amounts.map((amount) => ({
    depositAddressId: address?.id ?? '',
    paymentId: payment.id,
    txHash: `0x${randomBytes(32).toString('hex')}`,
    ordinal: 'log:0',
    asset: BSC_USDT,
    currencyCode: 'USDT',
    assetDecimals: 18,
    amount,
    block,
  }));
  const blocks = { chain: 'bsc', height: 100, transfers };
  await shop.gateway.sql.transaction(() => shop.gateway.get(TransfersService).applyBlocks(blocks));
}

describe('the holdings of an application', () => {
  it('are empty before the first transfer', async () => {
    await shop.instructions(await shop.createPayment(application));
    expect(await ask()).toMatchObject({ status: 200, body: { data: [] } });
  });

  it('are pending until confirmed, and count each address once', async () => {
    const [first, second] = [await shop.createPayment(application), await shop.createPayment(application)];
    const instructions = await shop.instructions(first);
    await shop.send(instructions, 2n * ETHER);
    await shop.mine();
    expect(await lines()).toEqual([`ethereum ETH 0 ${2n * ETHER} 0`]);
    await shop.send(instructions, 1n);
    await shop.send(await shop.instructions(second), 3n * ETHER);
    await shop.mine(12);
    expect(await lines()).toEqual([`ethereum ETH ${5n * ETHER + 1n} 0 2`]);
    const [holding] = await holdings();
    expect(holding).toMatchObject({
      token: null,
      // More than a double represents exactly.
      receivedAmount: { atomic: '5000000000000000001', decimals: 18 },
      lastSeenAt: shop.gateway.clock.now().toISOString().replace('.000Z', 'Z'),
    });
  });

  it('list unmatched assets separately, by their own contract', async () => {
    const payment = await shop.createPayment(application);
    const { address } = await shop.instructions(payment, 'usdt');
    for (const token of [shop.tokens.USDT, shop.tokens.USDC])
      await shop.chain.sendToken({ token, to: address as `0x${string}`, value: 7n });
    await shop.mine(12);
    expect(await lines()).toEqual(['ethereum USDC 7 0 1', 'ethereum USDT 7 0 1']);
    expect((await holdings()).map(({ token }) => token)).toEqual([
      {
        standard: 'ERC-20',
        contractAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as string,
        decimals: 6,
      },
      {
        standard: 'ERC-20',
        contractAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as string,
        decimals: 6,
      },
    ]);
  });

  it('are exact in the units of each network, however large the sum', async () => {
    const payment = await shop.createPayment(application);
    const { address } = await shop.instructions(payment, 'usdt');
    await shop.chain.sendToken({ token: shop.tokens.USDT, to: address as `0x${string}`, value: 1_500_000n });
    await shop.mine(12);
    const most = 10n ** 77n;
    await mineOnBsc(payment, [most, most, 1n]);
    const [bsc, ethereum] = await holdings();
    expect(bsc).toMatchObject({
      blockchain: 'bsc',
      addressCount: 1,
      token: { standard: 'BEP-20', decimals: 18 },
      receivedAmount: { atomic: String(2n * most + 1n), decimals: 18 },
    });
    expect(ethereum?.receivedAmount).toMatchObject({
      atomic: '1500000',
      decimals: 6,
      formatted: '1.500000 USDT',
    });
  });

  it('lose what a fork removes, and regain what is mined again', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment), ETHER);
    await shop.mine(12);
    expect(await lines()).toEqual([`ethereum ETH ${ETHER} 0 1`]);
    await shop.chain.reorg(12);
    await shop.mine();
    expect(await lines()).toEqual([]);
    await shop.send(await shop.instructions(payment), ETHER);
    await shop.mine(12);
    expect(await lines()).toEqual([`ethereum ETH ${ETHER} 0 1`]);
  });

  it('are separate per application, and not visible to other users', async () => {
    const other = await shop.application();
    await shop.send(await shop.instructions(await shop.createPayment(application)), 5n);
    await shop.send(await shop.instructions(await shop.createPayment(other)), 6n);
    await shop.mine(12);
    expect(await lines()).toEqual(['ethereum ETH 5 0 1']);
    const stranger = await createOwnerWithClient(shop.gateway);
    expect(await ask(application.id, stranger.accessToken)).toMatchObject({
      status: 404,
      body: { code: 'payment_application_not_found' },
    });
    expect((await ask(application.id, application.clientToken)).status).toBe(401);
  });
});
