import type { Page } from 'playwright-core';
import { fakeTronHex, installWallet, type WalletAnswer, type WalletCall } from '../support/browser-wallet.js';
import { useBrowser } from '../support/browser-tabs.js';
import { chooseMethod, describeInBrowser, pageUrl } from '../support/chromium.js';
import type { CreatedPayment, Shop, ShopApplication } from '../support/shop.js';
import { openTronHarness, type TronHarness } from '../support/tron-engine.js';
import { NILE_GENESIS } from '../support/tron-node.js';

const TRX = { provider: 'tron', method: 'trx' };
const USDT = { provider: 'tron', method: 'usdt' };
const ACCOUNT = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const HASH = 'cd'.repeat(32);

describeInBrowser('a wallet of Tron in the browser', () => {
  let shop: Shop;
  let harness: TronHarness;
  let application: ShopApplication;
  const tabs = useBrowser(() => shop);

  beforeAll(async () => {
    harness = await openTronHarness();
    ({ shop } = harness);
    application = await shop.application({ name: 'Bluebird Coffee', url: 'https://shop.example' });
  });
  afterAll(async () => harness?.close());

  let calls: WalletCall[];
  let answers: Record<string, ((call: WalletCall) => WalletAnswer) | undefined>;
  let genesis: string;

  beforeEach(() => {
    calls = [];
    answers = {};
    genesis = NILE_GENESIS;
  });

  async function request(call: WalletCall): Promise<WalletAnswer> {
    calls.push(call);
    const answer = answers[call.method];
    if (answer) return answer(call);
    const params = call.params ?? [];
    switch (call.method) {
      case 'eth_requestAccounts':
        return { result: [ACCOUNT] };
      case 'wallet_switchEthereumChain':
        if ((params[0] as { chainId: string }).chainId === '0xcd8690dc') genesis = NILE_GENESIS;
        return { result: null };
      case 'getBlockByNumber':
        return { result: { blockID: genesis } };
      case 'getBalance':
        return { result: 900_000_000_000 };
      case 'triggerConstantContract':
        return { result: { constant_result: [(10n ** 15n).toString(16).padStart(64, '0')] } };
      case 'sendTrx':
        return { result: built({ amount: params[1], to_address: `41${fakeTronHex(String(params[0]))}` }) };
      case 'triggerSmartContract': {
        const [contract, , , parameters] = params as [string, string, object, { value: string }[]];
        const words = [
          fakeTronHex(parameters[0]?.value ?? ''),
          BigInt(parameters[1]?.value ?? 0).toString(16),
        ];
        const data = `a9059cbb${words.map((word) => word.padStart(64, '0')).join('')}`;
        const transaction = built({ data, contract_address: `41${fakeTronHex(contract)}` });
        return { result: { result: { result: true }, transaction } };
      }
      case 'sign':
        return { result: params[0] };
      default:
        return { result: { result: true, txid: HASH } };
    }
  }
  const built = (value: object) => ({ txID: HASH, raw_data: { contract: [{ parameter: { value } }] } });

  async function open(choice: Record<string, string>): Promise<{ page: Page; payment: CreatedPayment }> {
    const payment = await shop.createPayment(application);
    await chooseMethod(shop, payment, choice);
    const { page } = await tabs.open();
    await installWallet(page, request, 'tron');
    await page.goto(pageUrl(shop, payment));
    return { page, payment };
  }
  const button = (page: Page) => page.getByRole('button', { name: 'Pay with TronLink' });
  const asked = (method: string) => calls.filter((call) => call.method === method);

  it('pays TRX exactly, and what it sent is reported', async () => {
    const { page, payment } = await open(TRX);
    await button(page).click();
    await page.locator('#wallets code').waitFor();
    expect(await page.locator('#wallets code').innerText()).toBe(HASH);
    const instructions = await shop.instructions(payment, 'trx', 'tron');
    expect(asked('sendTrx')[0]?.params).toEqual([
      instructions.address,
      Number(instructions.amount.atomic),
      ACCOUNT,
    ]);
    await page.locator('main .note').filter({ hasText: 'looking for this transaction' }).waitFor();
    const { body } = await shop.checkout<{ reportedTransactions: object[] }>(
      payment,
      `payment/${payment.id}`,
    );
    expect(body.data.reportedTransactions).toMatchObject([{ txHash: HASH, provider: 'tron' }]);
  });

  it('pays a token by its contract, after it has switched to the network', async () => {
    genesis = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';
    const { page, payment } = await open(USDT);
    await button(page).click();
    await page.locator('#wallets code').waitFor();
    const { address, amount, token } = await shop.instructions(payment, 'usdt', 'tron');
    expect(asked('triggerSmartContract')[0]?.params).toEqual([
      token?.contractAddress,
      'transfer(address,uint256)',
      { feeLimit: 100_000_000, callValue: 0 },
      [
        { type: 'address', value: address },
        { type: 'uint256', value: amount.atomic },
      ],
      ACCOUNT,
    ]);
    expect(asked('wallet_switchEthereumChain')[0]?.params).toEqual([{ chainId: '0xcd8690dc' }]);
  });

  it.each<[what: string, method: string, answer: WalletAnswer, words: string]>([
    [
      'refuses to connect',
      'eth_requestAccounts',
      { error: { code: 4001, message: 'no' } },
      'You didn’t connect TronLink',
    ],
    [
      'is asked already',
      'eth_requestAccounts',
      { error: { code: -32002, message: 'open' } },
      'an earlier request',
    ],
    ['declines on a desk', 'sign', { error: { message: 'Confirmation declined by user' } }, 'You declined'],
    ['declines on Android', 'sign', { error: { message: 'cancle' } }, 'You declined'],
    ['is on another network', 'getBlockByNumber', { result: { blockID: 'other' } }, 'is on another network'],
    [
      'finds too little as it builds',
      'sendTrx',
      { error: { message: 'Validate TransferContract error, balance is not sufficient.' } },
      'doesn’t have',
    ],
    [
      'has nothing for bandwidth',
      'sendRawTransaction',
      { result: { code: 'BANDWITH_ERROR' } },
      'to pay the network fee',
    ],
    [
      'is not believed by the network',
      'sendRawTransaction',
      { result: { code: 'SIGERROR' } },
      'reported an error',
    ],
  ])('%s: it is said, and can be tried again', async (_what, method, answer, words) => {
    const { page } = await open(TRX);
    answers = { [method]: () => answer };
    await button(page).click();
    await page.locator('#wallets p').filter({ hasText: words }).waitFor();
    expect(await button(page).isEnabled()).toBe(true);
    expect(await page.locator('#wallets code').count()).toBe(0);
  });

  it('is locked', async () => {
    const { page } = await open(TRX);
    await page.evaluate('window.tron.tronWeb = false');
    answers = { eth_requestAccounts: () => ({ result: [] }) };
    await button(page).click();
    await page.locator('#wallets p').filter({ hasText: 'TronLink is locked' }).waitFor();
  });

  it.each([
    ['another amount', { amount: 1, to_address: 'x' }],
    ['another address', { amount: null, to_address: `41${'00'.repeat(20)}` }],
  ])('whose node builds a transaction with %s is not asked to sign it', async (_what, value) => {
    const { page } = await open(TRX);
    answers = {
      sendTrx: ({ params }) => ({ result: built({ ...value, amount: value.amount ?? params?.[1] }) }),
    };
    await button(page).click();
    await page.locator('#wallets p').filter({ hasText: 'reported an error' }).waitFor();
    expect(asked('sign')).toEqual([]);
  });

  it('has too little: it says how much, and may be asked all the same', async () => {
    const { page } = await open(TRX);
    answers = { getBalance: () => ({ result: 3_000_000 }) };
    await button(page).click();
    await page.locator('#wallets p').filter({ hasText: 'has 3 TRX on Tron' }).waitFor();
    expect(asked('sendTrx')).toEqual([]);
    await page.getByRole('button', { name: 'Send anyway with TronLink' }).click();
    await page.locator('#wallets code').waitFor();
  });
});
