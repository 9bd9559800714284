import { HDKey } from '@scure/bip32';
import { createOwnerWithClient } from './support/principals.js';
import { Shop, type ShopApplication } from './support/shop.js';

const TPUB = { private: 0x04358394, public: 0x043587cf };
const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 22), TPUB).derive("m/84'/1'/0'");
/** Of another account. */
const destination = 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3';

let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  // There is no node: nothing here gets so far as to ask it.
  shop = await Shop.open({
    CHAIN_LITECOIN_RPC_URL: 'http://127.0.0.1:9',
    CHAIN_LITECOIN_NETWORK: 'regtest',
  });
  shop.rates.setPrice('LTC', 'USD', '80');
  application = await shop.application();
  const path = `/api/payment-applications/${application.id}/wallets/litecoin`;
  const key = { extendedPublicKey: ACCOUNT.publicExtendedKey, scriptType: 'p2wpkh' };
  expect((await shop.call('PUT', path, shop.owner.accessToken, key)).status).toBe(200);
});
afterAll(() => shop.close());

const post = (body: object, token = shop.owner.accessToken, query = '') =>
  shop.call('POST', `/api/payment-applications/${application.id}/collections${query}`, token, body);

it('is of nothing before anything was received', async () => {
  const answer = await post({ blockchain: 'litecoin', destination, feeRate: 1 });
  expect(answer).toMatchObject({
    status: 200,
    body: { data: { psbts: [], transactions: [], leftOut: [], expected: [], deployment: null, next: null } },
  });
});

it('refuses the cursor of another list', async () => {
  const { status, body } = await post(
    { blockchain: 'litecoin', destination, feeRate: 1 },
    shop.owner.accessToken,
    '?after=abc',
  );
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['after']]);
});

it.each<[string, object, string, string]>([
  ['no blockchain', { blockchain: undefined }, 'blockchain', 'required'],
  ['no destination', { destination: undefined }, 'destination', 'required'],
  [
    'a destination on an EVM chain',
    { blockchain: 'ethereum', feeRate: undefined },
    'destination',
    'treasury only',
  ],
  [
    'a fee rate on an EVM chain',
    { blockchain: 'ethereum', destination: undefined },
    'feeRate',
    'the sender chooses',
  ],
  ['coins of a chain with one', { coins: ['LTC'] }, 'coins', 'does not apply'],
  ['a minimum where the fee rate decides', { minimum: 5 }, 'minimum', 'does not apply'],
  ['a chain that is not watched', { blockchain: 'dogecoin' }, 'blockchain', 'not enabled'],
  ['no chain', { blockchain: 'litecoinz' }, 'blockchain', 'litecoin'],
  [
    'an address of another network',
    { destination: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
    'destination',
    'regtest',
  ],
  [
    'an address of another coin',
    { destination: '0x52908400098527886E0F7030069857D2E4169EE7' },
    'destination',
    'network',
  ],
  ['a private key', { destination: ACCOUNT.privateExtendedKey }, 'destination', 'private key'],
  ['a fee rate of nothing', { feeRate: 0 }, 'feeRate', 'feeRate'],
  ['a negative fee rate', { feeRate: -1 }, 'feeRate', 'feeRate'],
  ['a fraction', { feeRate: 1.5 }, 'feeRate', 'whole number'],
  ['text', { feeRate: '5' }, 'feeRate', 'whole number'],
  ['a fee rate beyond all that was ever paid', { feeRate: 10_001 }, 'feeRate', '10000'],
  // The node does not answer.
  ['no fee rate', { feeRate: undefined }, 'feeRate', 'no estimate'],
])('is refused for %s, by the name of the field', async (_what, changes, field, words) => {
  const { status, body } = await post({ blockchain: 'litecoin', destination, feeRate: 1, ...changes });
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
  expect(body.errors?.[field]?.[0]).toContain(words);
  expect(JSON.stringify(body)).not.toContain(ACCOUNT.privateExtendedKey);
});

it.each<[string, object, string, string]>([
  ['a coin that the chain does not have', { coins: ['BTC'] }, 'coins', 'USDC'],
  ['a coin in lower case', { coins: ['usdc'] }, 'coins', 'USDC'],
  ['no coin', { coins: [] }, 'coins', 'coins'],
  ['a coin twice', { coins: ['ETH', 'ETH'] }, 'coins.1', 'duplicate'],
  ['coins that are no list', { coins: 'ETH' }, 'coins', 'array'],
  ['a negative minimum', { minimum: -1 }, 'minimum', 'at least 0'],
  ['a minimum in dollars', { minimum: 5.5 }, 'minimum', 'US cents'],
  ['a minimum as text', { minimum: '5' }, 'minimum', 'US cents'],
])('is refused on an EVM chain for %s', async (_what, fields, field, words) => {
  const { status, body } = await post({ blockchain: 'ethereum', ...fields });
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
  expect(body.errors?.[field]?.[0]).toContain(words);
});

it('does not send to an address on which payments are received', async () => {
  const payment = await shop.createPayment(application);
  const { address } = await shop.instructions(payment, 'ltc', 'litecoin');
  const { status, body } = await post({ blockchain: 'litecoin', destination: address, feeRate: 1 });
  expect([status, body.errors]).toMatchObject([422, { destination: [expect.stringContaining('payments')] }]);
});

it('is none of a stranger, and of no token of a shop', async () => {
  const stranger = await createOwnerWithClient(shop.gateway);
  const body = { blockchain: 'litecoin', destination, feeRate: 1 };
  expect((await post(body, stranger.accessToken)).status).toBe(404);
  expect((await post(body, application.clientToken)).status).toBe(401);
});
