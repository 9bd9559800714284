import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { toCashAddress } from './cash-address.pure.js';
import { utxoAddress } from './utxo-address.pure.js';
import type { ScriptType } from '../chain-family.pure.js';
import type { UtxoFamily, UtxoNetworkName } from './utxo-network.pure.js';

/** The words of the test vectors of BIP49, BIP84 and BIP86, and of most wallets' own. */
const ROOT = HDKey.fromMasterSeed(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`));

function publicKey(path: string): Uint8Array {
  const key = ROOT.derive(path).publicKey;
  if (!key) throw new Error('no key');
  return key;
}

describe('UTXO addresses', () => {
  it.each<[source: string, path: string, UtxoFamily, UtxoNetworkName, ScriptType, address: string]>([
    [
      'BIP84',
      "m/84'/0'/0'/0/0",
      'bitcoin',
      'mainnet',
      'p2wpkh',
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    ],
    [
      'BIP84',
      "m/84'/0'/0'/0/1",
      'bitcoin',
      'mainnet',
      'p2wpkh',
      'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
    ],
    ['BIP49', "m/49'/1'/0'/0/0", 'bitcoin', 'testnet', 'p2sh-p2wpkh', '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'],
    [
      'BIP86',
      "m/86'/0'/0'/0/0",
      'bitcoin',
      'mainnet',
      'p2tr',
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    ],
    [
      'BIP86',
      "m/86'/0'/0'/0/1",
      'bitcoin',
      'mainnet',
      'p2tr',
      'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
    ],
    [
      'BIP44 as wallets show it',
      "m/44'/0'/0'/0/0",
      'bitcoin',
      'mainnet',
      'p2pkh',
      '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
    ],
    [
      'litecoind, the same script',
      "m/84'/2'/0'/0/0",
      'litecoin',
      'mainnet',
      'p2wpkh',
      'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
    ],
    [
      'BIP44 as wallets show it',
      "m/44'/3'/0'/0/0",
      'dogecoin',
      'mainnet',
      'p2pkh',
      'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC',
    ],
    // Test networks of Bitcoin spell addresses alike.
    ['BIP49', "m/49'/1'/0'/0/0", 'bitcoin', 'testnet4', 'p2sh-p2wpkh', '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'],
    ['BIP49', "m/49'/1'/0'/0/0", 'bitcoin', 'signet', 'p2sh-p2wpkh', '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'],
    [
      'BIP84 as wallets show it',
      "m/84'/1'/0'/0/0",
      'bitcoin',
      'signet',
      'p2wpkh',
      'tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl',
    ],
  ])('match those of %s at %s (%s, %s, %s)', (_source, path, family, network, type, address) => {
    expect(utxoAddress(publicKey(path), family, network, type).address).toBe(address);
  });

  it('have the same script on every network', () => {
    const key = publicKey("m/86'/0'/0'/0/1");
    const { key: script } = utxoAddress(key, 'bitcoin', 'mainnet', 'p2tr');
    // The output script of BIP86's second vector.
    expect(script.toString('hex')).toBe(
      '5120a82f29944d65b86ae6b5e5cc75e294ead6c59391a1edc5e016e3498c67fc7bbb',
    );
    for (const type of ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'] as const) {
      const bitcoin = utxoAddress(key, 'bitcoin', 'mainnet', type);
      const litecoin = utxoAddress(key, 'litecoin', 'regtest', type);
      expect(litecoin.key).toEqual(bitcoin.key);
      expect(litecoin.address).not.toBe(bitcoin.address);
    }
  });

  it.each<UtxoFamily>(['dogecoin', 'bitcoincash'])('of %s reject segregated witness', (family) => {
    for (const type of ['p2sh-p2wpkh', 'p2wpkh', 'p2tr'] as const) {
      expect(() => utxoAddress(publicKey('m/0'), family, 'mainnet', type)).toThrow(/has no/);
    }
  });

  // Test vectors of the CashAddr specification.
  it.each([
    ['76a04053bda0a88bda5177b86a15c3b29f559873', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['cb481232299cd5743151ac4b2d63ae198e7bb0a9', 'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy'],
    ['011f28e473c95f4013d7d53ec5fbc3b42df8ed10', 'bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'],
    ['f5bf48b397dae70be82b3cca4793f8eb2b6cdac9', 'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2'],
  ])('encode the hash %s as %s', (hash, address) => {
    expect(toCashAddress('bitcoincash', Buffer.from(hash, 'hex'))).toBe(address);
  });

  it('of Bitcoin Cash are cash addresses of the same key hash', () => {
    const key = publicKey("m/44'/145'/0'/0/0");
    const cash = utxoAddress(key, 'bitcoincash', 'mainnet', 'p2pkh');
    expect(cash.key).toEqual(utxoAddress(key, 'bitcoin', 'mainnet', 'p2pkh').key);
    expect(cash.address).toBe(toCashAddress('bitcoincash', cash.key.subarray(3, 23)));
  });
});
