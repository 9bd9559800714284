import { randomBytes } from 'node:crypto';
import { mnemonicToSeedSync } from '@scure/bip39';
import { HDKey } from '@scure/bip32';
import { createOwner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { newAccount, WalletsApi } from './support/wallets-api.js';

const JUNK_WORDS = 'test test test test test test test test test test test junk';
const JUNK = HDKey.fromMasterSeed(mnemonicToSeedSync(JUNK_WORDS));
const JUNK_ACCOUNT = JUNK.derive("m/44'/60'/0'");
const FIELD = 'extendedPublicKey';
/** Test vector of BIP49. */
const TPUB =
  'tpubDD7tXK8KeQ3YY83yWq755fHY2JW8Ha8Q765tknUM5rSvjPcGWfUppDFMpQ1ScziKfW3ZNtZvAD7M3u7bSs7HofjTD3KP3YxPK7X6hwV8Rk2';

let gateway: TestGateway;
let api: WalletsApi;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  api = await WalletsApi.open(gateway);
});
afterAll(() => gateway.close());

describe('a wallet', () => {
  it('is returned masked after it was set, with the addresses that the merchant’s wallet shows', async () => {
    const { status, data, text } = await api.putKey(JUNK_ACCOUNT);
    const xpub = JUNK_ACCOUNT.publicExtendedKey;
    expect(status).toBe(200);
    expect(data).toEqual({
      family: 'evm',
      scriptType: null,
      kind: 'key',
      treasury: null,
      extendedPublicKey: `${xpub.slice(0, 6)}...${xpub.slice(-4)}`,
      fingerprint: JUNK_ACCOUNT.fingerprint.toString(16).padStart(8, '0'),
      masterFingerprint: null,
      accountPath: "m/44'/60'/0'",
      nextIndex: 0,
      earlierUse: { state: 'known', skippedAddresses: 0, continuedAt: null, unseenOn: [] },
      addressGap: { longest: 0, gapLimit: 20, statedGapLimit: 20 },
      previewAddresses: [
        '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      ],
      comparedAt: null,
      createdAt: gateway.clock.now().toISOString().replace('.000Z', 'Z'),
      status: 'active',
      changedAt: gateway.clock.now().toISOString().replace('.000Z', 'Z'),
      changedBy: 'server',
      previousFingerprint: null,
      pending: null,
    });
    expect(text).not.toContain(xpub);
    expect((await api.get()).data).toEqual(data);
    expect((await api.get('EVM')).data).toEqual(data);
    expect((await api.list()).data).toEqual([data]);
  });

  it('is stored encrypted', async () => {
    const account = newAccount();
    await api.putKey(account);
    const rows = await gateway.sql.query('select * from wallets');
    expect(JSON.stringify(rows)).not.toContain(account.publicExtendedKey.slice(10, 60));
  });

  it('does not change when the same key is set again', async () => {
    const account = newAccount();
    const first = await api.putKey(account);
    gateway.clock.advanceSeconds(60);
    const again = await api.put({ extendedPublicKey: `  ${account.publicExtendedKey}\n` });
    expect(again).toMatchObject({ status: 200, data: first.data });
  });

  it('is replaced by another key, and continues with its own counter when set again', async () => {
    const [one, two] = [newAccount(), newAccount()];
    const first = await api.putKey(one);
    await gateway.sql.query('update wallets set next_index = 7 where application_id = $1', [
      api.applicationId,
    ]);
    gateway.clock.advanceSeconds(60);
    const second = await api.putKey(two);
    const changedAt = gateway.clock.now().toISOString().replace('.000Z', 'Z');
    expect(second.data).toMatchObject({
      nextIndex: 0,
      changedAt,
      previousFingerprint: first.data.fingerprint,
      pending: null,
    });
    expect(second.data.previewAddresses).not.toEqual(first.data.previewAddresses);
    expect((await api.list()).data).toEqual([second.data]);
    expect(await api.putKey(one)).toMatchObject({
      status: 200,
      data: {
        ...first.data,
        nextIndex: 7,
        addressGap: { longest: 7, gapLimit: 20, statedGapLimit: 20 },
        changedAt,
        previousFingerprint: second.data.fingerprint,
      },
    });
  });

  it('can be removed repeatedly, and set again', async () => {
    const account = newAccount();
    await api.putKey(account);
    expect(await api.remove()).toEqual([204, '']);
    expect(await api.remove()).toEqual([204, '']);
    expect((await api.list()).data).toEqual([]);
    expect(await api.get()).toMatchObject({ status: 404, error: { code: 'not_found' } });
    expect((await api.putKey(account)).status).toBe(200);
  });

  it('has one of the keys when 20 requests set different keys at once', async () => {
    const accounts = Array.from({ length: 20 }, newAccount);
    const answers = await Promise.all(accounts.map((account) => api.putKey(account)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [row] = await gateway.sql.query(
      'select count(*) as all, count(*) filter (where retired_at is null) as active from wallets where application_id = $1',
      [api.applicationId],
    );
    expect(row).toEqual({ all: '20', active: '1' });
  });
});

describe('a wallet of a UTXO chain', () => {
  const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`));
  const VERSIONS = { private: 0x04b2430c, public: 0x04b24746 };
  /** The zpub of a new account. */
  const newZpub = () =>
    HDKey.fromMasterSeed(randomBytes(32), VERSIONS).derive("m/84'/0'/0'").publicExtendedKey;

  it('shows the first addresses of BIP84 for its zpub', async () => {
    const zpub = HDKey.fromMasterSeed(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`), VERSIONS).derive(
      "m/84'/0'/0'",
    ).publicExtendedKey;
    const { status, data } = await api.put({ extendedPublicKey: zpub }, 'bitcoin');
    expect(status).toBe(200);
    expect(data).toMatchObject({
      family: 'bitcoin',
      scriptType: 'p2wpkh',
      extendedPublicKey: 'zpub6r...tZYs',
      nextIndex: 0,
      previewAddresses: [
        'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
        expect.stringMatching(/^bc1q/),
      ],
    });
    expect((await api.get('bitcoin')).data).toEqual(data);
    expect(await api.remove('bitcoin')).toEqual([204, '']);
  });

  it('requires the script type of an xpub, and treats another type as another wallet', async () => {
    const extendedPublicKey = ROOT.derive("m/86'/2'/7'").publicExtendedKey;
    expect(await api.put({ extendedPublicKey }, 'litecoin')).toMatchObject({
      status: 422,
      error: { errors: { scriptType: [expect.stringMatching(/is needed for an xpub/)] } },
    });
    const taproot = await api.put({ extendedPublicKey, scriptType: 'p2tr' }, 'litecoin');
    expect(taproot.data).toMatchObject({ scriptType: 'p2tr' });
    expect(taproot.data.previewAddresses[0]).toMatch(/^ltc1p/);
    const segwit = await api.put({ extendedPublicKey, scriptType: 'p2wpkh' }, 'litecoin');
    expect(segwit.data).toMatchObject({ scriptType: 'p2wpkh' });
    expect(segwit.data.previewAddresses[0]).toMatch(/^ltc1q/);
    expect((await api.list()).data).toEqual([segwit.data]);
  });

  it('exists in every family, each with its own addresses', async () => {
    const legacy = { extendedPublicKey: ROOT.derive("m/44'/0'/9'").publicExtendedKey, scriptType: 'p2pkh' };
    const firsts = { bitcoin: /^1/, litecoin: /^L/, dogecoin: /^D/, bitcoincash: /^bitcoincash:q/ };
    for (const [family, form] of Object.entries(firsts)) {
      const { data } = await api.put(legacy, family);
      expect(data).toMatchObject({ family, scriptType: 'p2pkh' });
      expect(data.previewAddresses[0]).toMatch(form);
    }
    expect((await api.list()).data.map(({ family }) => family)).toEqual(Object.keys(firsts).toSorted());
  });

  it.each<[string, () => Record<string, unknown>, string, RegExp]>([
    ['a private key', () => ({ extendedPublicKey: ROOT.privateExtendedKey }), FIELD, /not a private key/],
    ['a key of a test network', () => ({ extendedPublicKey: TPUB }), FIELD, /of the main network: a tpub/],
    ['an EVM address', () => ({ extendedPublicKey: `0x${'1'.repeat(40)}` }), FIELD, /no address/],
    [
      'another type than the key’s',
      () => ({ extendedPublicKey: newZpub(), scriptType: 'p2tr' }),
      'scriptType',
      /p2wpkh/,
    ],
    [
      'a type of its own',
      () => ({ extendedPublicKey: newZpub(), scriptType: 'p2sh' }),
      'scriptType',
      /one of: p2pkh/,
    ],
    ['a number for a type', () => ({ extendedPublicKey: newZpub(), scriptType: 5 }), 'scriptType', /string/],
  ])('is refused with %s', async (_what, body, field, message) => {
    const { status, error } = await api.put(body(), 'bitcoin');
    expect(status).toBe(422);
    expect(error.errors?.[field]).toEqual([expect.stringMatching(message)]);
    expect((await api.get('bitcoin')).status).toBe(404);
  });
});

describe("a key of another user's wallet", () => {
  const inUse = {
    status: 422,
    error: { code: 'validation_failed', errors: { [FIELD]: [expect.stringMatching(/already in use/)] } },
  };

  it('is refused for another merchant, for another application, and also after it was removed', async () => {
    const account = newAccount();
    await api.putKey(account);
    const [stranger, sibling] = [await WalletsApi.open(gateway), await WalletsApi.open(gateway, api.owner)];
    expect(await stranger.putKey(account)).toMatchObject(inUse);
    expect(await sibling.putKey(account)).toMatchObject(inUse);
    await api.remove();
    expect(await stranger.putKey(account)).toMatchObject(inUse);
  });

  it('is accepted from one of 10 merchants who set it at once', async () => {
    const owner = await createOwner(gateway);
    const merchants = [];
    for (let i = 0; i < 10; i++) merchants.push(await WalletsApi.open(gateway, owner));
    const account = newAccount();
    const answers = await Promise.all(merchants.map((merchant) => merchant.putKey(account)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 422),
    ]);
  });
});

describe('bad input', () => {
  it.each<[string, unknown, RegExp]>([
    ['an xprv', JUNK_ACCOUNT.privateExtendedKey, /not a private key/],
    [
      'a raw private key',
      '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
      /not a private key/,
    ],
    ['seed words', JUNK_WORDS, /not a recovery phrase/],
    ['the master key', JUNK.publicExtendedKey, /depth 3/],
    ['a mistyped key', `${JUNK_ACCOUNT.publicExtendedKey.slice(0, -1)}1`, /checksum/],
    ['an address', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', /not an address/],
    ['spaces', '   ', /must be an extended public key/],
    ['a NUL character', `xpub\0${JUNK_ACCOUNT.publicExtendedKey}`, /invalid characters/],
    ['a novel', 'x'.repeat(5_000), /4096/],
    ['nothing', '', /required/],
    ['null', null, /required/],
    ['a number', 5, /string/],
    ['a list', ['xpub'], /string/],
  ])(
    '%s instead of a key is refused by name, and neither echoed nor stored',
    async (_what, value, message) => {
      const { status, error, text } = await api.put({ extendedPublicKey: value });
      expect(status).toBe(422);
      expect(error.code).toBe('validation_failed');
      expect(error.errors).toEqual({ [FIELD]: [expect.stringMatching(message)] });
      if (typeof value === 'string' && value.length > 20) {
        expect(text).not.toContain(value);
        for (const word of value.split(/[\s\0]+/))
          if (word.length > 10) expect(text).not.toContain(word.slice(4, 14));
      }
      expect((await api.list()).data).toEqual([]);
    },
  );

  it('names the field when there is no body', async () => {
    expect(await api.put({})).toMatchObject({
      status: 422,
      error: { errors: { [FIELD]: [expect.any(String)] } },
    });
  });

  it('refuses a script type for evm, which has none', async () => {
    const extendedPublicKey = newAccount().publicExtendedKey;
    const refused = await api.put({ extendedPublicKey, scriptType: 'p2wpkh' });
    expect(refused).toMatchObject({ status: 422, error: { errors: { scriptType: [expect.any(String)] } } });
    expect((await api.put({ extendedPublicKey, scriptType: null })).status).toBe(200);
  });

  it('returns 404 for a family that does not exist', async () => {
    const body = { extendedPublicKey: newAccount().publicExtendedKey };
    expect(await api.put(body, 'monero')).toMatchObject({ status: 404, error: { code: 'not_found' } });
    expect(await api.get('monero')).toMatchObject({ status: 404 });
    expect(await api.remove('monero')).toMatchObject([404, expect.any(String)]);
  });
});

describe('access to wallets', () => {
  it.each(['00000000-0000-7000-8000-000000000000', 'nonsense'])(
    'of application %s return 404',
    async (id) => {
      const notFound = { status: 404, error: { code: 'payment_application_not_found' } };
      expect(await api.list(id)).toMatchObject(notFound);
      expect(await api.get('evm', id)).toMatchObject(notFound);
      expect(await api.put({ extendedPublicKey: newAccount().publicExtendedKey }, 'evm', id)).toMatchObject(
        notFound,
      );
      expect(await api.remove('evm', id)).toMatchObject([404, expect.any(String)]);
    },
  );

  it("of another user's application return 404 and are not changed", async () => {
    const { data } = await api.putKey(newAccount());
    const stranger = await WalletsApi.open(gateway);
    const id = api.applicationId;
    expect((await stranger.list(id)).status).toBe(404);
    expect((await stranger.get('evm', id)).status).toBe(404);
    expect(
      (await stranger.put({ extendedPublicKey: newAccount().publicExtendedKey }, 'evm', id)).status,
    ).toBe(404);
    expect((await stranger.remove('evm', id))[0]).toBe(404);
    expect((await api.get()).data).toEqual(data);
  });

  it('of a deleted application can be read but not written', async () => {
    const { data } = await api.putKey(newAccount());
    await api.applications.delete(api.applicationId);
    expect((await api.get()).data).toEqual(data);
    const refused = await api.putKey(newAccount());
    expect(refused).toMatchObject({ status: 409, error: { code: 'application_deleted' } });
    expect((await api.remove())[0]).toBe(409);
    expect((await api.get()).data).toEqual(data);
  });

  it('require a token', async () => {
    const path = `${gateway.baseUrl}/api/payment-applications/${api.applicationId}/wallets`;
    for (const [method, end] of [
      ['GET', ''],
      ['GET', '/evm'],
      ['PUT', '/evm'],
      ['DELETE', '/evm'],
    ] as const) {
      expect((await fetch(`${path}${end}`, { method })).status).toBe(401);
    }
  });
});
