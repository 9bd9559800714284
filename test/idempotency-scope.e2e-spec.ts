import { ApplicationsApi } from './support/applications-api.js';
import { createClientToken } from './support/client-tokens.js';
import { CHAIN_ENV, KeyedMerchant, type KeyedPost, newKey } from './support/keyed-api.js';
import { createOwner } from './support/principals.js';
import type { TestGateway } from './support/test-gateway.js';
import { WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let gateway: TestGateway;
let shop: KeyedMerchant;

beforeAll(async () => {
  harness = await WebhookHarness.start(CHAIN_ENV);
  gateway = harness.gateway;
});
beforeEach(async () => {
  shop = await KeyedMerchant.open(harness);
});
afterAll(() => harness.stop());

const post = (request: Partial<KeyedPost> = {}) => shop.post(request);

describe('the scope of a key', () => {
  it('is shared by all client tokens of an application', async () => {
    const key = newKey();
    const second = await createClientToken(gateway, shop.owner, shop.merchant.applicationId);
    const first = await post({ key });
    expect((await post({ key, token: second.token })).text).toBe(first.text);
  });

  it('is separate for another application, another user and OAuth2', async () => {
    const key = newKey();
    const stranger = await createOwner(gateway);
    const [sibling, foreign] = [
      await harness.addMerchant({}, shop.owner.userId),
      await harness.addMerchant({}, stranger.userId),
    ];
    const requests: Partial<KeyedPost>[] = [{}];
    for (const [of, by] of [
      [sibling, shop.owner],
      [foreign, stranger],
    ] as const) {
      const { clientId } = (await new ApplicationsApi(gateway, by).get(of.applicationId)).data;
      const { token: theirs } = await createClientToken(gateway, by, of.applicationId);
      requests.push({ token: theirs, body: { ...shop.checkout, clientId } });
    }
    requests.push({ token: shop.owner.accessToken });
    const answers = [];
    for (const request of requests) answers.push(await post({ key, ...request }));
    expect(answers.map(({ status, isReplayed }) => [status, isReplayed])).toEqual(
      requests.map(() => [201, false]),
    );
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(4);
  });

  it('is separate per object, and shared by two spellings of a path', async () => {
    const key = newKey();
    const ids = [await harness.addPayment(shop.merchant), await harness.addPayment(shop.merchant)];
    for (const id of ids) await harness.pay(shop.merchant, id);
    for (const id of ids)
      expect((await post({ key, path: `/api/payment/${id}/accept`, body: undefined })).isReplayed).toBe(
        false,
      );
    const again = await post({ key, path: `/API/Payment/${ids[0]}/Accept/`, body: undefined });
    expect([again.status, again.isReplayed]).toEqual([200, true]);
  });
});
