import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { CHAIN_CATALOG } from '../src/chains/chain-catalog.pure.js';
import { contractAddressOf } from '../src/chains/contract-address.pure.js';
import type { PaymentInstructionsContract } from '../src/checkout/payment-instructions.contract.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

/** Every EVM chain of the catalog in one gateway: what differs between them is data. BSC is a real node here. */
const EVM_CHAINS = CHAIN_CATALOG.filter(({ family }) => family === 'evm');
const OTHERS = EVM_CHAINS.filter(({ slug }) => !['ethereum', 'bsc'].includes(slug));

let bsc: TestChain;
let usdt: Hex;
let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  bsc = await startAnvil({ chainId: 56 });
  usdt = (await bsc.deployToken('USDT', 18)).address;
  // No node listens there: these chains are offered but not watched.
  const others = OTHERS.map(({ slug }) => [`CHAIN_${slug.toUpperCase()}_RPC_URL`, 'http://127.0.0.1:9']);
  shop = await Shop.open({
    ...(Object.fromEntries(others) as Record<string, string>),
    CHAIN_BSC_RPC_URL: bsc.url,
    CHAIN_BSC_TOKENS: `USDT:${usdt}:18`,
  });
  await drainBsc();
  application = await shop.application({ currencyWhitelist: [] });
});
afterAll(async () => {
  await shop.close();
  await bsc.stop();
});

async function drainBsc(): Promise<void> {
  await shop.gateway.get(ChainWatcherService).drain('bsc');
}

async function instructions(
  payment: CreatedPayment,
  provider: string,
  method: string,
): Promise<PaymentInstructionsContract> {
  const path = `payment/${payment.id}/provider/${provider}/method/${method}`;
  const { status, body } = await shop.checkout<PaymentInstructionsContract>(payment, path);
  if (status !== 200) throw new Error(`no instructions: ${JSON.stringify(body)}`);
  return body.data;
}

describe('a payment on other EVM chains', () => {
  it('is offered every coin and token of every watched chain', async () => {
    const payment = await shop.createPayment(application);
    const { body } = await shop.checkout<{ provider: string; method: string }[]>(
      payment,
      `${payment.id}/payment-methods`,
    );
    const expected = EVM_CHAINS.flatMap(({ slug, assets }) =>
      assets.map(({ currencyCode }) => `${slug}/${currencyCode.toLowerCase()}`),
    );
    const offered = body.data.map(({ provider, method }) => `${provider}/${method}`);
    expect(offered.toSorted()).toEqual(expected.toSorted());
  });

  it.each(OTHERS.map((chain) => [chain.slug, chain] as const))(
    'gets instructions for %s: its chain id, its contract, the exact amount',
    async (slug, chain) => {
      for (const asset of chain.assets) {
        const code = asset.currencyCode;
        // Priced in the coin itself: no rate is needed, and the amount is exact.
        const amount = 5n * 10n ** BigInt(asset.decimals);
        const payment = await shop.createPayment(application, { amount, currencyCode: code });
        const answer = await instructions(payment, slug, code.toLowerCase());
        const contract = contractAddressOf(chain.family, asset.asset);
        expect(answer.blockchain).toEqual({ slug, name: chain.name, chainId: chain.chainId, testnet: false });
        expect(answer.token?.contractAddress ?? null).toBe(contract);
        expect(BigInt(answer.amount.amount)).toBe(amount);
        expect(answer.paymentUri).toBe(
          contract
            ? `ethereum:${contract}@${chain.chainId}/transfer?address=${answer.address}&uint256=${amount}`
            : `ethereum:${answer.address}@${chain.chainId}?value=${amount}`,
        );
      }
    },
  );

  it('has one address on all of them, because one key serves the whole family', async () => {
    const payment = await shop.createPayment(application);
    const first = await instructions(payment, 'ethereum', 'eth');
    for (const slug of OTHERS.map((chain) => chain.slug))
      expect((await instructions(payment, slug, 'usdc')).address).toBe(first.address);
    expect((await instructions(payment, 'bsc', 'usdt')).address).toBe(first.address);
  });

  it('is paid in BNB, and links to the explorer of its chain', async () => {
    const amount = 10n ** 16n;
    const payment = await shop.createPayment(application, { amount, currencyCode: 'BNB' });
    const { address } = await instructions(payment, 'bsc', 'bnb');
    const txHash = await bsc.sendEth({ to: address as Hex, value: amount });
    await bsc.mine(14);
    await drainBsc();
    const found = await shop.payment(payment);
    expect(found.status).toBe('FOUND');
    expect(found.transactions).toMatchObject([
      {
        blockchain: 'bsc',
        currencyCode: 'BNB',
        confirmations: 14,
        confirmationsRequired: 15,
        explorerUrl: `https://bscscan.com/tx/${txHash}`,
      },
    ]);
    await bsc.mine();
    await drainBsc();
    expect(await shop.status(payment)).toBe('RECEIVED');
  });

  it('counts USDT with 18 decimals on BSC and with 6 in the price', async () => {
    const payment = await shop.createPayment(application, { amount: 5_250_000n, currencyCode: 'USDT' });
    const { address, amount, token } = await instructions(payment, 'bsc', 'usdt');
    expect(BigInt(amount.amount)).toBe(5_250_000_000_000_000_000n);
    expect(token).toMatchObject({ standard: 'BEP-20', decimals: 18 });
    await bsc.sendToken({ token: usdt, to: address as Hex, value: 5_250_000_000_000_000_000n });
    await bsc.mine(15);
    await drainBsc();
    const paid = await shop.payment(payment);
    expect(paid.status).toBe('RECEIVED');
    expect(BigInt(paid.receivedAmount.amount)).toBe(5_250_000n);
  });
});
