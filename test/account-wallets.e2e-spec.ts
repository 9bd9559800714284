import type { HDKey } from '@scure/bip32';
import { evmAddressOfPublicKey, toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import { DepositAddressesService } from '../src/wallets/deposit-addresses.service.js';
import { AccountApi, type AccountAnswer, refused } from './support/account-api.js';
import { type ApplicationDto, ApplicationsApi } from './support/applications-api.js';
import { createClientToken } from './support/client-tokens.js';
import { insertPayment } from './support/payment-rows.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { newAccount, type WalletDto } from './support/wallets-api.js';

const OPERATOR = newAccount();
const FIELD = 'extendedPublicKey';

let gateway: TestGateway;
let account: AccountApi;
let applications: ApplicationsApi;
let application: ApplicationDto;

beforeAll(async () => {
  gateway = await startTestGateway({ WALLET_EVM_XPUB: OPERATOR.publicExtendedKey });
});
beforeEach(async () => {
  account = await AccountApi.open(gateway);
  applications = apiOf(account);
  application = await applications.create();
});
afterAll(() => gateway.close());

function apiOf({ user, accessToken }: AccountApi): ApplicationsApi {
  return new ApplicationsApi(gateway, { userId: user.id, accessToken });
}

const list = () => account.call<WalletDto[]>('GET', '/wallets');
const get = (family = 'evm') => account.call<WalletDto>('GET', `/wallets/${family}`);
const put = (body: unknown, family = 'evm') => account.call<WalletDto>('PUT', `/wallets/${family}`, body);
const remove = (family = 'evm') => account.call('DELETE', `/wallets/${family}`);
const putKey = (key: HDKey, owner = account): Promise<AccountAnswer<WalletDto>> =>
  owner.call('PUT', '/wallets/evm', { [FIELD]: key.publicExtendedKey });
const putApplicationKey = (key: HDKey, { id } = application) =>
  applications.call<WalletDto>('PUT', `/api/payment-applications/${id}/wallets/evm`, {
    [FIELD]: key.publicExtendedKey,
  });

/** The address at an index of the merchant's own wallet, derived from the private key. */
function addressOf(key: HDKey, index: number): string {
  const { publicKey } = key.derive(`m/0/${index}`);
  if (!publicKey) throw new Error('no key');
  return toChecksumAddress(evmAddressOfPublicKey(publicKey));
}

/** The address of a new payment of an application. */
async function payTo(id = application.id, owner = account): Promise<string> {
  const { id: userId } = owner.user;
  const paymentId = await insertPayment(gateway, { userId, applicationId: id });
  const input = { paymentId, userId, applicationId: id, family: 'evm' as const };
  return (await gateway.get(DepositAddressesService).allocate(input)).address;
}

describe('a default wallet', () => {
  it('is returned masked after it was set, with the addresses that the merchant’s wallet shows', async () => {
    const key = newAccount();
    const xpub = key.publicExtendedKey;
    expect((await list()).data).toEqual([]);
    expect(await get()).toMatchObject({ status: 404, error: { code: 'not_found' } });
    const { status, data, text } = await put({ [FIELD]: ` ${xpub}\n` });
    expect(status).toBe(200);
    expect(data).toEqual({
      family: 'evm',
      kind: 'key',
      treasury: null,
      scriptType: null,
      extendedPublicKey: `${xpub.slice(0, 6)}...${xpub.slice(-4)}`,
      fingerprint: key.fingerprint.toString(16).padStart(8, '0'),
      masterFingerprint: null,
      accountPath: "m/44'/60'/0'",
      nextIndex: 0,
      earlierUse: { state: 'known', skippedAddresses: 0, continuedAt: null, unseenOn: [] },
      addressGap: { longest: 0, gapLimit: 20, statedGapLimit: 20 },
      previewAddresses: [addressOf(key, 0), addressOf(key, 1), addressOf(key, 2)],
      comparedAt: null,
      createdAt: gateway.clock.now().toISOString().replace('.000Z', 'Z'),
      status: 'active',
      changedAt: gateway.clock.now().toISOString().replace('.000Z', 'Z'),
      changedBy: 'user',
      previousFingerprint: null,
      pending: null,
    });
    expect(text).not.toContain(xpub);
    expect((await get('EVM')).data).toEqual(data);
    expect((await list()).data).toEqual([data]);
    expect(JSON.stringify(await gateway.sql.query('select * from wallets'))).not.toContain(xpub);
  });

  it('is visible neither to other users nor to applications', async () => {
    await putKey(newAccount());
    const stranger = await AccountApi.open(gateway);
    expect((await stranger.call<WalletDto[]>('GET', '/wallets')).data).toEqual([]);
    expect((await stranger.call('GET', '/wallets/evm')).status).toBe(404);
    await stranger.call('DELETE', '/wallets/evm');
    expect((await get()).status).toBe(200);
    const path = `/api/payment-applications/${application.id}/wallets`;
    expect((await applications.call('GET', path)).data).toEqual([]);
  });

  it('is one of the keys when twenty requests set different keys at once', async () => {
    const keys = Array.from({ length: 20 }, newAccount);
    const answers = await Promise.all(keys.map((key) => putKey(key)));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const [row] = await gateway.sql.query(
      `select count(*) as all, count(*) filter (where retired_at is null) as active
       from wallets where user_id = $1 and application_id is null`,
      [account.user.id],
    );
    expect(row).toEqual({ all: '20', active: '1' });
  });

  it('refuses a key that already serves another wallet', async () => {
    const [own, ofApplication] = [newAccount(), newAccount()];
    await putKey(own);
    await putApplicationKey(ofApplication);
    const stranger = await AccountApi.open(gateway);
    const inUse = refused(FIELD, /already in use/);
    expect(await putKey(own, stranger)).toMatchObject(inUse);
    expect(await putKey(ofApplication)).toMatchObject(inUse);
    expect(await putKey(OPERATOR)).toMatchObject(inUse);
    expect(await putApplicationKey(own)).toMatchObject(inUse);
    await remove();
    expect(await putApplicationKey(own)).toMatchObject(inUse);
  });

  it.each<[string, object, string, RegExp]>([
    ['a private key', { [FIELD]: newAccount().privateExtendedKey }, FIELD, /not a private key/],
    ['seed words', { [FIELD]: `${'abandon '.repeat(11)}about` }, FIELD, /not a recovery phrase/],
    ['a mistyped key', { [FIELD]: `${newAccount().publicExtendedKey.slice(0, -4)}1111` }, FIELD, /checksum/],
    ['nothing', {}, FIELD, /required/],
    [
      'a script type',
      { [FIELD]: newAccount().publicExtendedKey, scriptType: 'p2wpkh' },
      'scriptType',
      /does not apply/,
    ],
  ])('is refused by field: %s', async (_what, body, field, message) => {
    const answer = await put(body);
    expect(answer).toMatchObject(refused(field, message));
    const [sent = 'nothing was sent'] = Object.values(body) as string[];
    expect(answer.text).not.toContain(sent.slice(10));
    expect((await list()).data).toEqual([]);
  });

  it('returns 404 for a family that does not exist', async () => {
    expect((await get('gold')).status).toBe(404);
    expect((await remove('gold')).status).toBe(404);
  });
});

describe('the order of wallets', () => {
  it('is application, user, operator, and each continues with its own counter', async () => {
    const [ofUser, ofApplication] = [newAccount(), newAccount()];
    const fromOperator = await payTo();
    await putKey(ofUser);
    expect(await payTo()).toBe(addressOf(ofUser, 0));
    await putApplicationKey(ofApplication);
    expect(await payTo()).toBe(addressOf(ofApplication, 0));
    await applications.call('PUT', `/api/payment-applications/${application.id}`, {});

    const response = await fetch(
      `${gateway.baseUrl}/api/payment-applications/${application.id}/wallets/evm`,
      { method: 'DELETE', headers: { authorization: `Bearer ${account.accessToken}` } },
    );
    expect(response.status).toBe(204);
    expect(await payTo()).toBe(addressOf(ofUser, 1));
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204]);
    const next = await payTo();
    const operators = Array.from({ length: 20 }, (_, index) => addressOf(OPERATOR, index));
    expect(operators.indexOf(next)).toBeGreaterThan(operators.indexOf(fromOperator));
    await putKey(ofUser);
    expect(await payTo()).toBe(addressOf(ofUser, 2));
    expect((await get()).data.nextIndex).toBe(3);
  });

  it('derives addresses for all applications of a user from one counter, none twice', async () => {
    const key = newAccount();
    await putKey(key);
    const second = await applications.create();
    const ids = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? application.id : second.id));
    const given = await Promise.all(ids.map((id) => payTo(id)));
    expect(given.toSorted()).toEqual(ids.map((_, index) => addressOf(key, index)).toSorted());
  });

  it('uses a default wallet only for applications of its user', async () => {
    const key = newAccount();
    await putKey(key);
    const stranger = await AccountApi.open(gateway);
    const { id } = await apiOf(stranger).create();
    const address = await payTo(id, stranger);
    expect(Array.from({ length: 20 }, (_, index) => addressOf(OPERATOR, index))).toContain(address);
    expect((await get()).data.nextIndex).toBe(0);
  });

  it('hands out an address of the old or the new key while the key is replaced', async () => {
    const keys = Array.from({ length: 6 }, newAccount);
    await putKey(keys[0] ?? newAccount());
    const payments = Array.from({ length: 12 }, () => payTo());
    const given = await Promise.all([...payments, ...keys.map(async (key) => void (await putKey(key)))]);
    const known = keys.flatMap((key) => Array.from({ length: 12 }, (_, index) => addressOf(key, index)));
    const addresses = given.filter((address) => address !== undefined);
    for (const address of addresses) expect(known).toContain(address);
    expect(new Set(addresses).size).toBe(12);
  });

  it('makes a method available where the operator has no key', async () => {
    const bare = await startTestGateway();
    try {
      const owner = await AccountApi.open(bare);
      const { id } = await new ApplicationsApi(bare, {
        userId: owner.user.id,
        accessToken: owner.accessToken,
      }).create();
      const application = { applicationId: id, userId: owner.user.id };
      const addresses = bare.get(DepositAddressesService);
      expect(await addresses.hasWallet(application, 'evm')).toBe(false);
      await putKey(newAccount(), owner);
      expect(await addresses.hasWallet(application, 'evm')).toBe(true);
      await owner.call('DELETE', '/wallets/evm');
      expect(await addresses.hasWallet(application, 'evm')).toBe(false);
    } finally {
      await bare.close();
    }
  });
});

it.each<[string, string]>([
  ['GET', '/wallets'],
  ['GET', '/wallets/evm'],
  ['PUT', '/wallets/evm'],
  ['DELETE', '/wallets/evm'],
])('%s /api/account%s rejects client tokens', async (method, path) => {
  const { id, accessToken } = { id: account.user.id, accessToken: account.accessToken };
  const { token } = await createClientToken(gateway, { userId: id, accessToken }, application.id);
  expect(await account.call(method, path, undefined, token)).toMatchObject({
    status: 401,
    error: { code: 'oauth_token_required' },
  });
});
