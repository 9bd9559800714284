/** Families of addresses on chains of Bitcoin's kind. Dogecoin and Bitcoin Cash know no segregated witness. */
export type UtxoFamily = 'bitcoin' | 'litecoin' | 'dogecoin' | 'bitcoincash';

export type UtxoNetworkName = 'mainnet' | 'testnet' | 'regtest';

/** What kind of output a wallet makes of a public key: BIP44, BIP49, BIP84, BIP86. */
export type ScriptType = 'p2pkh' | 'p2sh-p2wpkh' | 'p2wpkh' | 'p2tr';

/** How a network writes its addresses. Scripts, and with them keys, are the same everywhere. */
export interface UtxoNetwork {
  /** What `getblockchaininfo` calls it. */
  chainName: 'main' | 'test' | 'regtest';
  /** Version byte of base58check addresses to a key hash. */
  pubKeyHash: number;
  /** The same to a script hash. */
  scriptHash: number;
  /** Human-readable part of segwit addresses (BIP173); of cash addresses for Bitcoin Cash. Null: neither. */
  bech32: string | null;
  /** Null: everybody's own chain. */
  genesisHash: string | null;
  /** Later blocks that chains with the same beginning do not have. */
  checkpoints?: readonly { height: number; hash: string }[];
}

/** What all networks of a family have in common: the scheme of payment URIs (BIP21), the wallets' script types. */
export interface UtxoFamilyTraits {
  uriScheme: string;
  scriptTypes: readonly ScriptType[];
  /** Largest block that its nodes accept, or may come to accept; bytes. */
  maxBlockBytes: number;
  networks: Readonly<Record<UtxoNetworkName, UtxoNetwork>>;
}

const SEGWIT: readonly ScriptType[] = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'];

/** From each project's chainparams.cpp. */
const TRAITS: Readonly<Record<UtxoFamily, UtxoFamilyTraits>> = {
  bitcoin: {
    uriScheme: 'bitcoin',
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
          // Bitcoin Cash and what came of it share every block before this one.
          { height: 478_559, hash: '00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148' },
          // Whatever else split off before 2024 (Bitcoin Gold and others, end of 2017).
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
    },
  },
  litecoin: {
    uriScheme: 'litecoin',
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
    scriptTypes: ['p2pkh'],
    // One million, and the other chain’s proof.
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
    scriptTypes: ['p2pkh'],
    // 32 million today; miners may make it grow, doubling within a year at most (CHIP-2023-04).
    maxBlockBytes: 64_000_000,
    networks: {
      mainnet: {
        chainName: 'main',
        pubKeyHash: 0x00,
        scriptHash: 0x05,
        bech32: 'bitcoincash',
        genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
        checkpoints: [
          // Its first block that is not Bitcoin's.
          { height: 478_559, hash: '000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec' },
          // The first after eCash went its own way; Bitcoin SV had done so in 2018.
          { height: 661_648, hash: '0000000000000000029e471c41818d24b8b74c911071c4ef0b4a0509f9b5a8ce' },
        ],
      },
      testnet: {
        chainName: 'test',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        bech32: 'bchtest',
        genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
        // Its first block that is not Bitcoin's.
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

export function isUtxoNetwork(name: string): name is UtxoNetworkName {
  return Object.hasOwn(TRAITS.bitcoin.networks, name);
}

export function isUtxoFamily(family: string): family is UtxoFamily {
  return Object.hasOwn(TRAITS, family);
}

/** First blocks of every main and test network of this page. */
export function publicGenesisHashes(): ReadonlySet<string> {
  const networks = Object.values(TRAITS).flatMap((traits) => Object.values(traits.networks));
  return new Set(networks.flatMap(({ genesisHash }) => genesisHash ?? []));
}
