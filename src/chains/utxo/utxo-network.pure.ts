import type { ExtendedKeyPrefix, ScriptType } from '../chain-family.pure.js';

/** Address families of UTXO chains. Dogecoin and Bitcoin Cash have no segregated witness. */
export type UtxoFamily = 'bitcoin' | 'litecoin' | 'dogecoin' | 'bitcoincash';

export type UtxoNetworkName = 'mainnet' | 'testnet' | 'regtest' | 'testnet4' | 'signet';

/** How a network spells its addresses. Output scripts, and so the keys to match on, are the same on all networks. */
export interface UtxoNetwork {
  /** Its name in `getblockchaininfo`. */
  chainName: 'main' | 'test' | 'regtest' | 'testnet4' | 'signet';
  /** Version byte of base58check addresses to a key hash. */
  pubKeyHash: number;
  /** Version byte of base58check addresses to a script hash. */
  scriptHash: number;
  /** Human-readable part of segwit addresses (BIP173), or of cash addresses on Bitcoin Cash; null where there are neither. */
  bech32: string | null;
  /** Null on regtest, where everyone starts their own chain. */
  genesisHash: string | null;
  /** Later blocks that tell the chain from forks that share its first blocks. */
  checkpoints?: readonly { height: number; hash: string }[];
}

/** Common to all networks of a family. */
export interface UtxoFamilyTraits {
  /** Of payment URIs (BIP21). */
  uriScheme: string;
  /** SLIP-44. */
  coinType: number;
  scriptTypes: readonly ScriptType[];
  /** Prefixes of extended public keys that only this family uses. */
  ownPrefixes: readonly ExtendedKeyPrefix[];
  /** Largest block that its nodes accept, or may come to accept; bytes. */
  maxBlockBytes: number;
  networks: Readonly<
    Record<'mainnet' | 'testnet' | 'regtest', UtxoNetwork> & Partial<Record<UtxoNetworkName, UtxoNetwork>>
  >;
}

const SEGWIT: readonly ScriptType[] = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'];

/** From each project's chainparams.cpp. */
const TRAITS: Readonly<Record<UtxoFamily, UtxoFamilyTraits>> = {
  bitcoin: {
    uriScheme: 'bitcoin',
    coinType: 0,
    ownPrefixes: [],
    scriptTypes: SEGWIT,
    maxBlockBytes: 4_000_000,
    networks: {
      mainnet: {
        chainName: 'main',
        pubKeyHash: 0x00,
        scriptHash: 0x05,
        bech32: 'bc',
        genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
        checkpoints: [
          // Bitcoin Cash and its forks share every block before this one.
          { height: 478_559, hash: '00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148' },
          // Excludes other forks from before 2024 (Bitcoin Gold and others, end of 2017).
          { height: 840_000, hash: '0000000000000000000320283a032748cef8227873ff4872689bf23f1cda83a5' },
        ],
      },
      testnet: {
        chainName: 'test',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        bech32: 'tb',
        genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
      },
      regtest: {
        chainName: 'regtest',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        bech32: 'bcrt',
        genesisHash: null,
      },
      // BIP94.
      testnet4: {
        chainName: 'testnet4',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        bech32: 'tb',
        genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
      },
      // BIP325. Private signets have the same first block.
      signet: {
        chainName: 'signet',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        bech32: 'tb',
        genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
      },
    },
  },
  litecoin: {
    uriScheme: 'litecoin',
    coinType: 2,
    ownPrefixes: [
      // Litecoin wallets write Ltub for accounts of every script type, despite SLIP-132.
      { version: 0x019da462, name: 'Ltub', isTest: false, scriptType: null },
      { version: 0x01b26ef6, name: 'Mtub', isTest: false, scriptType: 'p2sh-p2wpkh' },
    ],
    scriptTypes: SEGWIT,
    // With its extension block (LIP-3).
    maxBlockBytes: 8_000_000,
    networks: {
      mainnet: {
        chainName: 'main',
        pubKeyHash: 0x30,
        scriptHash: 0x32,
        bech32: 'ltc',
        genesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
      },
      testnet: {
        chainName: 'test',
        pubKeyHash: 0x6f,
        scriptHash: 0x3a,
        bech32: 'tltc',
        genesisHash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
      },
      regtest: {
        chainName: 'regtest',
        pubKeyHash: 0x6f,
        scriptHash: 0x3a,
        bech32: 'rltc',
        genesisHash: null,
      },
    },
  },
  dogecoin: {
    uriScheme: 'dogecoin',
    coinType: 3,
    ownPrefixes: [{ version: 0x02facafd, name: 'dgub', isTest: false, scriptType: null }],
    scriptTypes: ['p2pkh'],
    // One million, plus the proof of merge mining.
    maxBlockBytes: 2_000_000,
    networks: {
      mainnet: {
        chainName: 'main',
        pubKeyHash: 0x1e,
        scriptHash: 0x16,
        bech32: null,
        genesisHash: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
      },
      testnet: {
        chainName: 'test',
        pubKeyHash: 0x71,
        scriptHash: 0xc4,
        bech32: null,
        genesisHash: 'bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e',
      },
      regtest: {
        chainName: 'regtest',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        bech32: null,
        genesisHash: null,
      },
    },
  },
  bitcoincash: {
    uriScheme: 'bitcoincash',
    coinType: 145,
    ownPrefixes: [],
    scriptTypes: ['p2pkh'],
    // 32 million today; the adaptive limit at most doubles within a year (CHIP-2023-04).
    maxBlockBytes: 64_000_000,
    networks: {
      mainnet: {
        chainName: 'main',
        pubKeyHash: 0x00,
        scriptHash: 0x05,
        bech32: 'bitcoincash',
        genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
        checkpoints: [
          // The first block that is not shared with Bitcoin.
          { height: 478_559, hash: '000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec' },
          // The first block after eCash split off; Bitcoin SV had done so in 2018.
          { height: 661_648, hash: '0000000000000000029e471c41818d24b8b74c911071c4ef0b4a0509f9b5a8ce' },
        ],
      },
      testnet: {
        chainName: 'test',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        bech32: 'bchtest',
        genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
        // The first block that is not shared with Bitcoin.
        checkpoints: [
          { height: 1_155_876, hash: '00000000000e38fef93ed9582a7df43815d5c2ba9fd37ef70c9a0ea4a285b8f5' },
        ],
      },
      regtest: {
        chainName: 'regtest',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        bech32: 'bchreg',
        genesisHash: null,
      },
    },
  },
};

export function utxoTraits(family: UtxoFamily): UtxoFamilyTraits {
  return TRAITS[family];
}

/** @throws Error when the family has no network of that name, which the configuration refuses */
export function getUtxoNetwork(family: UtxoFamily, name: UtxoNetworkName): UtxoNetwork {
  const network = TRAITS[family].networks[name];
  if (!network) throw new Error(`${family} has no network "${name}"`);
  return network;
}

export function isUtxoNetwork(family: UtxoFamily, name: string): name is UtxoNetworkName {
  return Object.hasOwn(TRAITS[family].networks, name);
}

export function isUtxoFamily(family: string): family is UtxoFamily {
  return Object.hasOwn(TRAITS, family);
}

/** Genesis hashes of every main and test network in this file. */
export function publicGenesisHashes(): ReadonlySet<string> {
  const networks = Object.values(TRAITS).flatMap((traits) => Object.values(traits.networks));
  return new Set(networks.flatMap(({ genesisHash }) => genesisHash ?? []));
}
