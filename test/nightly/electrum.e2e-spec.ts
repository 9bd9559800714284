import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { DepositAddressesService } from '../../src/wallets/deposit-addresses.service.js';
import { insertPayment } from '../support/payment-rows.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { WalletsApi } from '../support/wallets-api.js';

const COUNT = 20;
const ZPRV = { private: 0x04b2430c, public: 0x04b24746 };
const VPRV = { private: 0x045f18bc, public: 0x045f1cf6 };
/** BIP84's own words. */
const SEED = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`);
const run = promisify(execFile);

const program = process.env['ELECTRUM_BIN'] ?? 'electrum';
const isThere = spawnSync(program, ['--offline', 'version']).status === 0;

/** Skipped where there is no Electrum, except in CI. */
function describeWithElectrum(name: string, tests: () => void): void {
  if (isThere || process.env['CI']) describe(name, tests);
  else
    describe.skip(
      `${name} (skipped: no electrum here; apt-get install electrum, or set ELECTRUM_BIN)`,
      tests,
    );
}

interface Made {
  /** What Electrum shows as the master public key. */
  key: string;
  /** Its first receiving addresses. */
  addresses: string[];
  /** Its file, in which a wallet with words has the private key. */
  file: { keystore: Record<string, unknown> };
}

describeWithElectrum('a wallet of Electrum', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'gateway-test-electrum-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  describe.each([
    { network: 'mainnet', flags: [], versions: ZPRV, coin: 0 },
    { network: 'regtest', flags: ['--regtest'], versions: VPRV, coin: 1 },
  ])('on $network', ({ network, flags, versions, coin }) => {
    let gateway: TestGateway;
    let wallets: WalletsApi;
    let made = 0;

    beforeAll(async () => {
      gateway = await startTestGateway({
        CHAIN_BITCOIN_RPC_URL: 'http://127.0.0.1:9',
        CHAIN_BITCOIN_NETWORK: network,
      });
      wallets = await WalletsApi.open(gateway);
    });
    afterAll(() => gateway?.close());

    async function electrum(...words: string[]): Promise<string> {
      const { stdout } = await run(program, ['--offline', ...flags, '-D', directory, ...words]);
      return stdout;
    }

    /** A new wallet file, made by these words of the command line. */
    async function make(...words: string[]): Promise<Made> {
      const file = path.join(directory, `${network}-${(made += 1)}`);
      await electrum(...words, '-w', file);
      const key = (await electrum('getmpk', '-w', file)).trim();
      const addresses = JSON.parse(await electrum('listaddresses', '--receiving', '-w', file)) as string[];
      const stored = JSON.parse(await readFile(file, 'utf8')) as Made['file'];
      return { key, addresses: addresses.slice(0, COUNT), file: stored };
    }

    /** The addresses of as many payments. */
    async function handedOut(): Promise<string[]> {
      const { userId } = wallets.owner;
      const { applicationId } = wallets;
      const addresses: string[] = [];
      for (let i = 0; i < COUNT; i += 1) {
        const paymentId = await insertPayment(gateway, { userId, applicationId });
        const ask = { userId, applicationId, paymentId, family: 'bitcoin' } as const;
        addresses.push((await gateway.get(DepositAddressesService).allocate(ask)).address);
      }
      return addresses;
    }

    beforeEach(async () => {
      wallets = await WalletsApi.open(gateway);
    });

    const account = () => HDKey.fromMasterSeed(SEED, versions).derive(`m/84'/${coin}'/0'`);

    it.each([
      ['segwit words of its own', 'p2wpkh', () => ['create', '--seed_type', 'segwit']],
      ['standard words of its own', 'p2pkh', () => ['create', '--seed_type', 'standard']],
      ['a BIP84 account', 'p2wpkh', () => ['restore', account().privateExtendedKey]],
    ])('made of %s shows the first addresses of the gateway', async (_name, scriptType, words) => {
      const wallet = await make(...words());
      expect(wallet.addresses).toHaveLength(COUNT);
      const type = scriptType === 'p2pkh' ? { scriptType } : {};
      const put = await wallets.put({ extendedPublicKey: wallet.key, ...type }, 'bitcoin');
      expect(put).toMatchObject({ status: 200, data: { scriptType } });
      expect(put.data.previewAddresses).toEqual(wallet.addresses.slice(0, 3));
      expect(await handedOut()).toEqual(wallet.addresses);
    });

    it('that watches only gives its file, which one with words does not', async () => {
      const own = await make('create', '--seed_type', 'segwit');
      const refused = await wallets.put({ extendedPublicKey: JSON.stringify(own.file) }, 'bitcoin');
      expect(refused.status).toBe(422);
      const watching = await make('restore', own.key);
      expect(watching.addresses).toEqual(own.addresses);
      const { keystore } = watching.file;
      const put = await wallets.put({ extendedPublicKey: JSON.stringify(keystore) }, 'bitcoin');
      expect(put).toMatchObject({ status: 200, data: { scriptType: 'p2wpkh' } });
      expect(await handedOut()).toEqual(own.addresses);
      // Nothing of what was refused is anywhere.
      const secret = String(own.file.keystore['xprv']);
      expect(secret.length).toBeGreaterThan(100);
      const rows = await gateway.sql.query('select w::text from wallets w');
      expect(JSON.stringify(rows)).not.toContain(secret.slice(10, 60));
    });
  });
});
