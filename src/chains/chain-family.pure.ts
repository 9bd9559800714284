import type { ChainConfig } from '../config-chains.js';
import type { Chain, ChainAsset } from './chain.pure.js';

/** An address as people see it, with the bytes that blocks are matched on. */
export interface ChainAddress {
  /** The 20 address bytes on EVM chains and Tron, the output script on UTXO chains. */
  key: Buffer;
  address: string;
}

/** Why a text is not an address to pay to. `unspendable`: well-formed, but provably without a private key. */
export type AddressDefect = 'malformed' | 'checksum' | 'unspendable';

/** Type of output that a wallet derives from a public key: BIP44, BIP49, BIP84, BIP86. */
export type ScriptType = 'p2pkh' | 'p2sh-p2wpkh' | 'p2wpkh' | 'p2tr';

/** Reads and writes addresses. `network` is that of a {@link Chain}; families with one address format ignore it. */
export interface AddressCodec {
  /** Regular expression of the form, for clients; whether an address is valid, its checksum decides. */
  pattern(network: string | undefined): string;

  /** Reads an address that a person entered. */
  parse(text: string, network: string | undefined): ChainAddress | AddressDefect;

  /**
   * @param publicKey compressed, 33 bytes
   * @param scriptType null where {@link AccountFormat.scriptTypes} is
   */
  ofPublicKey(
    publicKey: Uint8Array,
    network: string | undefined,
    scriptType: ScriptType | null,
  ): ChainAddress;
}

/** Spelling of token contracts. The chain catalog has them as 0x and 40 lower-case hexadecimal digits. */
export interface ContractCodec {
  /** @param contract 20 bytes */
  format(contract: Buffer): string;

  /** The 20 bytes; null when the text is not an address of the family. */
  parse(text: string): Buffer | null;
}

/** Version bytes of an extended public key (BIP32, SLIP-132). */
export interface ExtendedKeyPrefix {
  version: number;
  name: string;
  isTest: boolean;
  /** Null when the prefix leaves it open. */
  scriptType: ScriptType | null;
}

/** Account keys of the family's wallets. */
export interface AccountFormat {
  /** SLIP-44: the second step of an account's path. */
  coinType: number;
  /** Null where keys have one type of address, so that an account is a plain xpub (BIP44). */
  scriptTypes: readonly ScriptType[] | null;
  /** Prefixes that only this family uses. */
  ownPrefixes: readonly ExtendedKeyPrefix[];
  /** Hashed with a key to recognize it: the same key yields other addresses in another family. */
  keyHashSuffix: string;
}

/** What a wallet is asked to send. */
export interface PaymentRequest {
  chain: Pick<Chain, 'family' | 'chainId'>;
  asset: Pick<ChainAsset, 'asset' | 'decimals'>;
  /** Recipient, as people see it. */
  address: string;
  /** Smallest unit of the asset on this chain, > 0. */
  amount: bigint;
}

/** What an account signs to send something; 0x and hexadecimal digits. */
export interface TransferCall {
  to: string;
  data: string;
  value: string;
}

/** As the script of the page reads it: how a network is added (EIP-3085), or by which first block it is recognized. */
export type WalletNetwork =
  | {
      chainName: string;
      rpcUrls: readonly string[];
      nativeCurrency: { name: string; symbol: string; decimals: number };
    }
  | { genesis: string };

/**
 * Everything that differs between families of chains and needs no node; what does is in {@link ChainConnection}.
 * Code outside of the family's folder uses this object and never compares the family's name.
 */
export interface ChainFamily {
  /** The chains of the family that the gateway knows. */
  chains: readonly Chain[];
  addresses: AddressCodec;
  /** Null where the family has no tokens. */
  contracts: ContractCodec | null;
  accounts: AccountFormat;
  /** Payments are shown only with their block, not in a mempool before, so nothing changes between two blocks. */
  isReadByBlocks: boolean;

  /** The one spelling of a transaction's hash; null when the text is not one. */
  parseTransactionHash(text: string): string | null;

  /** Link that opens a wallet (EIP-681, BIP21); null where wallets agree on none. */
  paymentUri(request: PaymentRequest): string | null;

  /** The transaction of an account that sends it, which any wallet can sign later; null where there is none. */
  transferCall(request: PaymentRequest): TransferCall | null;

  /** Text of a QR code. @param uri the payment URI; null when no amount may be requested */
  qrContent(address: string, uri: string | null): string;

  /**
   * Why no transaction that gathers what came in can be prepared, and how the money is reached, in words that follow
   * "must"; null: it can.
   */
  gatheringProblem(chain: Pick<Chain, 'name'>): string | null;

  /**
   * What a wallet of a customer's browser has to be told about a network besides its chain id.
   * @param walletRpcUrls of the operator, for wallets of customers; empty: none, and wallets must have the network
   * @returns null: there is nothing to tell, or no such wallet
   */
  walletNetwork(
    chain: Pick<Chain, 'network' | 'name' | 'assets'>,
    walletRpcUrls: readonly string[],
  ): WalletNetwork | null;

  /** Settings that do not fit the family, each as `KEY: reason` with the key's part after CHAIN_<SLUG>_. */
  configProblems(chain: Chain, config: ChainConfig): string[];
}
