import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { WalletsApi } from './support/wallets-api.js';

const WORDS = `${'abandon '.repeat(11)}about`;
const ABANDON = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS));
const ACCOUNT = ABANDON.derive("m/44'/195'/0'");

describe('a Tron wallet', () => {
  let gateway: TestGateway;
  let api: WalletsApi;

  beforeAll(async () => {
    gateway = await startTestGateway();
    api = await WalletsApi.open(gateway);
  });
  afterAll(() => gateway?.close());

  it('is accepted by its account key, and returns the addresses that wallets show', async () => {
    const answer = await api.put({ extendedPublicKey: ACCOUNT.publicExtendedKey }, 'tron');
    expect(answer).toMatchObject({
      status: 200,
      data: {
        family: 'tron',
        scriptType: null,
        extendedPublicKey: expect.stringMatching(/^xpub6D\.\.\..{4}$/),
        previewAddresses: [
          'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
          'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK',
          'TYJPRrdB5APNeRs4R7fYZSwW3TcrTKw2gx',
        ],
      },
    });
  });

  it('can use the key of the EVM wallet, with different addresses', async () => {
    const { publicExtendedKey: extendedPublicKey } = ABANDON.derive("m/44'/60'/1'");
    expect((await api.put({ extendedPublicKey }, 'evm')).status).toBe(200);
    expect((await api.put({ extendedPublicKey }, 'tron')).status).toBe(200);
  });

  it.each([
    ['a private key', ACCOUNT.privateExtendedKey, 'not a private key'],
    ['an address', 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'not an address'],
    ['the master key', ABANDON.publicExtendedKey, "m/44'/195'/0'"],
    ['seed words', WORDS, 'not a recovery phrase'],
  ])('is refused with %s', async (_what, extendedPublicKey, message) => {
    const answer = await api.put({ extendedPublicKey }, 'tron');
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer)).toContain(message);
    expect(JSON.stringify(answer)).not.toContain(extendedPublicKey);
  });

  it('has one address type', async () => {
    const body = { extendedPublicKey: ACCOUNT.publicExtendedKey, scriptType: 'p2wpkh' };
    expect(await api.put(body, 'tron')).toMatchObject({
      status: 422,
      error: {
        errors: { scriptType: ['The scriptType field does not apply to tron wallets. Leave it out.'] },
      },
    });
  });
});
