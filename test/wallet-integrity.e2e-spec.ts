/**
 * @inOrder One account, whose wallets are changed behind the gateway's back, one field after the other.
 */
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { evmAddressOfPublicKey, toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import type { Hex } from './support/anvil.js';
import { DatabaseThief, type Statement } from './support/database-thief.js';
import { insertPayment } from './support/payment-rows.js';
import { createOwner } from './support/principals.js';
import type { ReportView } from './support/reconciliation-harness.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import {
  ADDRESS_MANIPULATIONS,
  replay,
  WALLET_MANIPULATIONS,
  type WalletScene,
} from './support/wallet-manipulations.js';
import { newAccount, WalletsApi } from './support/wallets-api.js';

const THIEF = newAccount();
const METRICS_TOKEN = 'a-metrics-token-that-is-long-enough';

let shop: Shop;
let application: ShopApplication;
let scene: WalletScene;
let thief: DatabaseThief;
let operatorToken: string;
let thiefIndex = 1_000;

beforeAll(async () => {
  shop = await Shop.open({ METRICS_TOKEN });
  const operator = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.userId, true);
  operatorToken = operator.accessToken;
  application = await shop.application();
  const own = `/api/payment-applications/${application.id}/wallets/evm`;
  for (const path of ['/api/account/wallets/evm', own, own]) expect((await putKey(path)).status).toBe(200);
  const thiefApi = await WalletsApi.open(shop.gateway);
  await thiefApi.putKey(THIEF);
  const rows = await shop.gateway.sql.query<{ id: string; application_id: string; active: boolean }>(
    'select id, application_id, retired_at is null as active from wallets where user_id is not null',
  );
  const idOf = (applicationId: string | null, active: boolean) =>
    rows.find((row) => row.application_id === applicationId && row.active === active)?.id ?? '';
  scene = {
    userId: shop.owner.userId,
    applicationId: application.id,
    activeId: idOf(application.id, true),
    retiredId: idOf(application.id, false),
    defaultId: idOf(null, true),
    thiefWalletId: idOf(thiefApi.applicationId, true),
    thiefUserId: thiefApi.owner.userId,
    thiefApplicationId: thiefApi.applicationId,
  };
  thief = new DatabaseThief(shop.gateway.sql);
});
afterAll(() => shop.close());

function putKey(path: string) {
  const body = { extendedPublicKey: newAccount().publicExtendedKey };
  return shop.call('PUT', path, shop.owner.accessToken, body);
}

async function verify(): Promise<ReportView> {
  const answer = await shop.call<ReportView>('GET', '/api/admin/reconciliation', operatorToken);
  return answer.body.data;
}

const ask = (payment: CreatedPayment) =>
  shop.checkout(payment, `payment/${payment.id}/provider/ethereum/method/eth`);

async function expectRefused(payment: CreatedPayment): Promise<void> {
  expect(await ask(payment)).toMatchObject({ status: 409, body: { code: 'payment_not_payable' } });
  expect(await shop.payment(payment)).toMatchObject({ status: 'ERROR', errorReason: 'address_integrity' });
}

async function failures(table: string): Promise<number> {
  const response = await fetch(`${shop.gateway.baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const found = new RegExp(`gateway_unauthentic_rows_total\\{table="${table}"\\} (\\d+)`).exec(
    await response.text(),
  );
  return Number(found?.[1]);
}

describe('a writer of the database without APP_KEYS', () => {
  it.each(WALLET_MANIPULATIONS)(
    'changes wallets so that $what: no address is shown, and verify names it',
    async ({ statements, named }) => {
      const payment = await shop.createPayment(application);
      await thief.whileTampered(statements(scene), async () => {
        const before = (await failures('wallets')) + (await failures('wallet_choices'));
        await expectRefused(payment);
        expect((await failures('wallets')) + (await failures('wallet_choices'))).toBeGreaterThan(before);
        const { consistent, differences } = await verify();
        expect(consistent).toBe(false);
        expect(differences.map(({ check, subject }) => [check, subject])).toContainEqual([
          'wallet',
          named(scene),
        ]);
        expect(
          await shop.gateway.sql.query('select from deposit_addresses where payment_id = $1', [payment.id]),
        ).toEqual([]);
      });
      const { address } = await shop.instructions(await shop.createPayment(application));
      expect(address).toMatch(/^0x/);
    },
  );

  it.each(ADDRESS_MANIPULATIONS)(
    'changes a deposit address so that $what: it is not shown, nothing is credited to it, and verify names it',
    async ({ statements, isRedirected, named }) => {
      const [payment, other] = [await shop.createPayment(application), await shop.createPayment(application)];
      const [shown, otherShown] = [await shop.instructions(payment), await shop.instructions(other)];
      const [addressId, otherAddressId] = await Promise.all([payment, other].map(addressIdOf));
      const { userId, applicationId } = {
        userId: scene.thiefUserId,
        applicationId: scene.thiefApplicationId,
      };
      const place = addressOfThief();
      const addressScene = {
        paymentId: payment.id,
        addressId: addressId ?? '',
        otherAddressId: otherAddressId ?? '',
        thief: {
          walletId: scene.thiefWalletId,
          userId,
          paymentId: await insertPayment(shop.gateway, { userId, applicationId }),
          ...place,
        },
      };
      await thief.whileTampered(statements(addressScene), async () => {
        const before = await failures('deposit_addresses');
        const to = isRedirected ? place.address : (shown.address as Hex);
        await shop.chain.sendEth({ to, value: BigInt(shown.amount.amount) });
        await shop.send(otherShown);
        await shop.mine();
        expect(await shop.status(other)).toBe('FOUND');
        const suspects = [payment.id, addressScene.thief.paymentId];
        expect(await transfersOf(suspects)).toEqual([]);
        expect(await failures('deposit_addresses')).toBeGreaterThan(before);
        if (!named) await expectRefused(payment);
        const addressDifferences = (await verify()).differences.filter(({ check }) => check === 'address');
        expect(addressDifferences.map(({ paymentId }) => paymentId)).toContain(
          named?.(addressScene) ?? payment.id,
        );
      });
    },
  );

  it('puts an earlier state back together with its MACs: verify names it by the audit log', async () => {
    const { sql } = shop.gateway;
    const [choice] = await sql.query<{ id: string }>(
      'select id from wallet_choices where application_id = $1',
      [application.id],
    );
    const copies: Parameters<typeof replay>[0] = [
      ['wallets', await thief.copyOf('wallets', scene.activeId)],
      ['wallet_choices', await thief.copyOf('wallet_choices', choice?.id ?? '')],
    ];
    const replaced = await shop.createPayment(application);
    expect((await putKey(`/api/payment-applications/${application.id}/wallets/evm`)).status).toBe(200);
    await shop.instructions(replaced);
    const [fresh] = await sql.query<{ id: string }>(
      'select id from wallets where application_id = $1 and retired_at is null',
      [application.id],
    );
    const retired: Statement = ['update wallets set retired_at = now() where id = $1', [fresh?.id]];
    await thief.whileTampered([retired, ...replay(copies)], async () => {
      const subjects = (await verify()).differences.map(({ subject }) => subject);
      expect(subjects).toEqual(
        expect.arrayContaining([
          `evm wallet ${fresh?.id}`,
          `evm wallet ${scene.activeId}`,
          `wallet choice of application ${application.id}`,
        ]),
      );
    });
  });

  it('moves a counter back: no address is handed out twice', async () => {
    const earlier = await shop.instructions(await shop.createPayment(application));
    const payment = await shop.createPayment(application);
    await thief.whileTampered(
      [
        [
          'update wallets set next_index = next_index - 1 where retired_at is null and application_id is not null and next_index > 0',
        ],
      ],
      async () => {
        await expectRefused(payment);
      },
    );
    const next = await shop.instructions(await shop.createPayment(application));
    expect(next.address).not.toBe(earlier.address);
  });

  it('changes a wallet: the merchant can neither read nor replace nor remove it until it is repaired', async () => {
    const path = `/api/payment-applications/${application.id}/wallets`;
    const call = (method: string, where = path, body?: unknown) =>
      shop.call(method, where, shop.owner.accessToken, body);
    const key = { extendedPublicKey: newAccount().publicExtendedKey };
    const refused = { status: 409, body: { code: 'wallet_integrity' } };
    await thief.whileTampered(
      [['update wallets set retired_at = now() where application_id = $1', [application.id]]],
      async () => {
        expect(await call('GET')).toMatchObject(refused);
        expect(await call('GET', `${path}/evm`)).toMatchObject(refused);
        expect(await call('PUT', `${path}/evm`, key)).toMatchObject(refused);
        expect(await call('DELETE', `${path}/evm`)).toMatchObject(refused);
      },
    );
    expect((await call('GET', `${path}/evm`)).status).toBe(200);
  });

  it('says that a wallet is stored with a key that APP_KEYS lacks: the next start is refused', async () => {
    await thief.whileTampered(
      [[`update wallets set mac = 'm1.lost.x' where id = $1`, [scene.activeId]]],
      async () => {
        await expect(shop.gateway.another()).rejects.toThrow(/APP_KEYS: lacks "lost"/);
      },
    );
  });
});

async function addressIdOf({ id }: { id: string }): Promise<string> {
  const [row] = await shop.gateway.sql.query<{ id: string }>(
    'select id from deposit_addresses where payment_id = $1',
    [id],
  );
  return row?.id ?? '';
}

const transfersOf = (paymentIds: readonly string[]) =>
  shop.gateway.sql.query('select id from payment_transfers where payment_id = any($1)', [paymentIds]);

/** An address that the thief's wallet has not handed out. */
function addressOfThief(): { index: number; key: Buffer; address: Hex } {
  thiefIndex += 1;
  const { publicKey } = THIEF.derive(`m/0/${thiefIndex}`);
  if (!publicKey) throw new Error('no key');
  const key = Buffer.from(evmAddressOfPublicKey(publicKey));
  return { index: thiefIndex, key, address: toChecksumAddress(key) as Hex };
}
