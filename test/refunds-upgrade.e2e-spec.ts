import { SealEarlierRefunds1795996820000 } from '../migrations/0020-seal-earlier-refunds.js';
import { Keyring } from '../src/platform/kernel/keyring.js';
import { asOwner } from './support/as-owner.js';
import { RefundsApi } from './support/refunds-api.js';
import { TEST_APP_KEY } from './support/test-server.js';
import { Shop } from './support/shop.js';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop.close());

it('refunds of before, and blocks of transfers, are sealed by the upgrade, with the MACs that the gateway makes', async () => {
  const api = new RefundsApi(shop, await shop.application());
  const [open, paid] = [
    await api.create(await api.paid(), { reason: 'broken', note: 'twice' }),
    await api.create(await api.paid(), { address: '0x52908400098527886E0F7030069857D2E4169EE7' }),
  ];
  await api.settleRefund(paid);
  const macs = () =>
    shop.gateway.sql.query(`
      select id::text as key, mac from refunds
      union all select refund_id || ' ' || seq, mac from refund_history
      union all select id::text, place_mac from payment_transfers order by key`);
  const before = await macs();
  await asOwner(shop.gateway, async (sql) => {
    await sql.query('update refunds set mac = null');
    await sql.query('update refund_history set mac = null');
    await sql.query('update payment_transfers set place_mac = null');
  });
  expect((await api.get({ id: open.paymentId }, '')).status).toBe(409);

  const queryRunner = {
    data: { keyring: new Keyring([{ id: 't1', key: TEST_APP_KEY }]) },
    query: (text: string, values?: unknown[]) => shop.gateway.sql.query(text, values),
  };
  await asOwner(shop.gateway, async () => {
    await new SealEarlierRefunds1795996820000().up(queryRunner as never);
  });
  expect(await macs()).toEqual(before);
  expect(await api.read(paid)).toMatchObject({ status: 'COMPLETED' });
});
