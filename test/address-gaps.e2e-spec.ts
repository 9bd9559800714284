import type { HDKey } from '@scure/bip32';
import { evmAddressOfPublicKey, toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import { checkAddressGaps } from '../src/operations/doctor/address-gaps-check.js';
import { AddressGaps } from '../src/wallets/earlier-use/address-gaps.service.js';
import type { Hex } from './support/anvil.js';
import { Shop, type ShopApplication } from './support/shop.js';
import { newAccount, type WalletDto } from './support/wallets-api.js';

let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open();
});
beforeEach(async () => {
  application = await shop.application();
});
afterAll(async () => {
  await shop?.close();
});

/** The address that every program derives from the key. */
function addressOf(account: HDKey, index: number): Hex {
  const { publicKey } = account.derive(`m/0/${index}`);
  if (!publicKey) throw new Error('no key');
  return toChecksumAddress(evmAddressOfPublicKey(publicKey)) as Hex;
}

const path = () => `/api/payment-applications/${application.id}/wallets/evm`;

async function call(method: string, body?: unknown): Promise<WalletDto> {
  const answer = await shop.call<WalletDto>(method, path(), shop.owner.accessToken, body);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body.data;
}

const put = (account: HDKey) => call('PUT', { extendedPublicKey: account.publicExtendedKey });

async function handOut(): Promise<string> {
  return (await shop.instructions(await shop.createPayment(application))).address;
}

/** As if so many addresses had been handed out. */
async function setCounter(nextIndex: number): Promise<void> {
  await shop.gateway.sql.query(
    'update wallets set next_index = $2 where application_id = $1 and retired_at is null',
    [application.id, nextIndex],
  );
}

describe('a run of addresses without a payment', () => {
  it('says how far a wallet must look ahead, in one statement for any number of payments', async () => {
    const account = newAccount();
    await shop.chain.sendEth({ to: addressOf(account, 1), value: 1_000n });
    await shop.chain.mine();
    await put(account);
    expect(await call('GET')).toMatchObject({ nextIndex: 2, addressGap: { longest: 1, gapLimit: 20 } });
    const paid = await handOut();
    await setCounter(23);
    expect(await call('GET')).toMatchObject({ addressGap: { longest: 21, gapLimit: 100 } });
    const found = (await checkAddressGaps(shop.gateway.sql)).map((one) => `${one.severity}: ${one.found}`);
    expect(found).toContainEqual(
      expect.stringMatching(/^warning: 21 addresses in a row of wallet [0-9a-f-]{36}/),
    );
    await shop.chain.sendEth({ to: paid as Hex, value: 10n ** 15n });
    await shop.mine();
    expect(await call('GET')).toMatchObject({ addressGap: { longest: 20, gapLimit: 100 } });
    await setCounter(12_002);
    expect(await call('GET')).toMatchObject({ addressGap: { longest: 10_000, gapLimit: 10_100 } });
  });

  it('is in attention until its owner has set the gap limit, and again when a run is as long', async () => {
    await put(newAccount());
    const gaps = shop.gateway.get(AddressGaps);
    const attention = async () => {
      const url = `/api/attention?kind=gap_limit&paymentApplicationId=${application.id}`;
      const { body } = await shop.call<{ wallet: object }[]>('GET', url, shop.owner.accessToken);
      return body.data.map(({ wallet }) => wallet);
    };
    const handedOut = async (nextIndex: number) => {
      await setCounter(nextIndex);
      shop.gateway.clock.advanceSeconds(601);
      await gaps.runOnce();
    };
    const state = (gapLimit: number) =>
      shop.call('PUT', `${path()}/gap-limit`, shop.owner.accessToken, { gapLimit });
    await handedOut(19);
    expect(await attention()).toEqual([]);
    await handedOut(20);
    const said = { longest: 20, gapLimit: 100, statedGapLimit: 20 };
    expect(await attention()).toEqual([{ family: 'evm', addressGap: said }]);
    expect(await state(19)).toMatchObject({ status: 422 });
    expect(await state(100)).toMatchObject({
      status: 200,
      body: { data: { addressGap: { longest: 20, gapLimit: 100, statedGapLimit: 100 } } },
    });
    expect(await attention()).toEqual([]);
    expect(await checkAddressGaps(shop.gateway.sql)).not.toContainEqual(
      expect.objectContaining({ found: expect.stringMatching(/^20 addresses/) }),
    );
    await setCounter(60);
    const paid = await handOut();
    await handedOut(99);
    expect(await attention()).toEqual([]);
    await handedOut(100);
    expect(await attention()).toMatchObject([{ addressGap: { longest: 100, statedGapLimit: 100 } }]);
    // An address within the run is paid late.
    await shop.chain.sendEth({ to: paid as Hex, value: 10n ** 15n });
    await shop.mine();
    await handedOut(100);
    expect(await attention()).toEqual([]);
  });
});
