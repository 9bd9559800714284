import { Contract } from '../platform/web/contract/contract.js';
import { Choice, Count, Instant, Nested, Text, TextList } from '../platform/web/contract/fields.js';
import { AddressGapContract, EarlierUseContract } from './earlier-use/earlier-use.contract.js';
import { CHANGED_BY, type ChangedBy } from './wallet-change.pure.js';
import type { PathParameter } from '../platform/web/contract/operation.js';
import { TREASURY_OR_NULL, TreasuryContract } from './treasury/treasury.contract.js';
import { WALLET_KINDS, type WalletKind } from './wallet-source.pure.js';

/** `:family` of every path of a wallet. */
export const WALLET_FAMILY: PathParameter = {
  about: 'The family of blockchains; `evm` covers Ethereum and all EVM-compatible chains.',
  example: 'evm',
};

/** Body of PUT /api/payment-applications/{id}/wallets/{family} and of PUT /api/account/wallets/{family}. */
@Contract(
  'PutWallet',
  'The key to derive new addresses from, or an address of yours that everything goes to: exactly one of the two. Addresses ' +
    'issued earlier stay watched.',
)
export class PutWalletContract {
  /** Long enough for recovery phrases and private keys entered by mistake, so that the error can name them. */
  @Text({
    min: 1,
    max: 4_096,
    optional: true,
    nullable: true,
    about:
      'The extended public key of an account (`xpub`, `ypub`, `zpub`, …), alone or with its origin, or, for Bitcoin, ' +
      'Litecoin, Dogecoin and Bitcoin Cash, an output descriptor or the public export of a wallet; the keys of ' +
      'Electrum are read at its own paths. Never a private key: it is rejected, and neither stored nor logged.',
    example:
      'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj',
  })
  extendedPublicKey?: string | null;

  /** Long enough for whatever is pasted by mistake. */
  @Text({
    min: 1,
    max: 4_096,
    optional: true,
    nullable: true,
    about:
      'For `evm`, in place of a key: an address of yours, of a wallet or a Safe. Every deposit address can then pay this ' +
      'one only, and one transaction collects from a hundred of them. A Safe must exist on every EVM chain that the ' +
      'gateway watches. Mixed case must be the right checksum (EIP-55).',
    example: '0x52908400098527886E0F7030069857D2E4169EE7',
  })
  treasury?: string | null;

  @Text({
    min: 1,
    max: 32,
    optional: true,
    nullable: true,
    about:
      'The address format, needed only where neither the prefix of the key nor a descriptor determines it, or an export ' +
      'has several accounts; never for ' +
      '`evm` or `tron`.',
  })
  scriptType?: string | null;
}

/** How many first addresses are shown and compared. */
export const COMPARED_ADDRESSES = 3;

/** Body of PUT /api/payment-applications/{id}/wallets/{family}/comparison and the same of an account. */
@Contract('CompareWallet', 'Addresses that somebody has seen in their own wallet.')
export class CompareWalletContract {
  @TextList({
    min: COMPARED_ADDRESSES,
    max: COMPARED_ADDRESSES,
    maxLength: 128,
    about:
      'The first three receiving addresses of the wallet, in their order, written as in `previewAddresses`.',
    example: [
      '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
      '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
      '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
    ],
  })
  addresses: string[];
}

/** A change that waits (specification/wallets.md#changes). */
@Contract('PendingWallet', 'A change that will take effect. Until then it can be cancelled.')
export class PendingWalletContract {
  @Text({
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    about: 'The fingerprint of the new key. Null: the wallet will be removed.',
    example: '5c1bd648',
  })
  fingerprint: string | null;

  @Text({
    nullable: true,
    about: 'The new key, masked, or the address of the new treasury. Null: the wallet will be removed.',
    example: 'xpub6D…wnAt',
  })
  maskedKey: string | null;

  @Nested(() => TreasuryContract, {
    nullable: true,
    about: 'The new treasury. Null: a key, or the wallet will be removed.',
  })
  treasury: TreasuryContract | null;

  @Instant({ about: 'When it takes effect.' })
  effectiveAt: string;

  @Choice(CHANGED_BY, { about: 'Who asked for it: a user who had signed in, or a server.', example: 'user' })
  requestedBy: ChangedBy;
}

/** A wallet with its key masked (specification/wallets.md#wallets). */
@Contract('Wallet', 'What deposit addresses are derived from: an extended public key, or a treasury.')
export class WalletContract {
  @Text({
    about: 'The family of blockchains, e.g. `evm`: one key serves every chain of a family.',
    example: 'evm',
  })
  family: string;

  @Choice(['active', 'pending'], {
    about:
      '`pending`: the first key of an application that replaces your default wallet. No addresses come from it yet.',
    example: 'active',
  })
  status: 'active' | 'pending';

  @Choice(WALLET_KINDS, {
    about:
      '`key`: addresses of your own wallet. `treasury`: addresses that can pay one address of yours only.',
    example: 'key',
  })
  kind: WalletKind;

  @Nested(() => TreasuryContract, TREASURY_OR_NULL)
  treasury: TreasuryContract | null;

  @Text({ nullable: true, about: 'The address format; null for families that have only one.' })
  scriptType: string | null;

  @Text({
    nullable: true,
    about: 'The key, masked. Null: there is none, see `treasury`.',
    example: 'xpub6C…9f2A',
  })
  extendedPublicKey: string | null;

  @Text({
    pattern: '^[0-9a-f]{8}$',
    about: 'The fingerprint of the account key itself (BIP 32), or of the treasury, to identify it.',
    example: '3442193e',
  })
  fingerprint: string;

  @Text({
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    about:
      'The fingerprint of the master key, which most wallets show: as the key says it, or the descriptor that was set. ' +
      'Null: the key was set without its origin. Nothing proves it; compare the addresses.',
    example: '73c5da0a',
  })
  masterFingerprint: string | null;

  @Text({
    nullable: true,
    about:
      "The path of the key in its wallet: the one it was set with or says itself (Electrum: `m`, `m/0'`), otherwise the " +
      'usual one of its script type and coin. Null: there is no key, it waits, or it belongs to another network.',
    example: "m/84'/0'/0'",
  })
  accountPath: string | null;

  @Count({ about: 'The index of the next address.', example: 17 })
  nextIndex: number;

  @Nested(() => EarlierUseContract, {
    nullable: true,
    about:
      'Addresses of the key that another program has handed out. Null for a treasury, whose addresses are of this ' +
      'gateway alone, and for a key that waits.',
  })
  earlierUse: EarlierUseContract | null;

  @Nested(() => AddressGapContract, {
    nullable: true,
    about: 'How far your wallet program must look ahead. Null for a treasury, and for a key that waits.',
  })
  addressGap: AddressGapContract | null;

  @TextList({
    about:
      'The first addresses, to compare with your wallet software, or of a treasury with `isAddressOfTreasury` of the ' +
      'client package. Empty if the key belongs to another network than ' +
      'the one the gateway now uses, or waits.',
    example: [
      '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
      '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
      '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
    ],
  })
  previewAddresses: string[];

  @Instant({
    nullable: true,
    about:
      'When somebody last confirmed that their wallet shows `previewAddresses`. Null: not since the key took effect. ' +
      'A change of the key clears it.',
  })
  comparedAt: string | null;

  @Instant({ about: 'When the key was first set.' })
  createdAt: string;

  @Instant({
    nullable: true,
    about:
      'When the key took effect. A time that you do not know is a warning. Null for changes from before this was recorded.',
  })
  changedAt: string | null;

  @Choice(CHANGED_BY, {
    nullable: true,
    about:
      'Who set it: a user who had signed in, or a server. Null for changes from before this was recorded.',
    example: 'user',
  })
  changedBy: ChangedBy | null;

  @Text({
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    about: 'The fingerprint of the key that this one replaced; null: there was none.',
    example: '9c0a6f7e',
  })
  previousFingerprint: string | null;

  @Nested(() => PendingWalletContract, {
    nullable: true,
    about: 'A new key, or the removal, that waits (`WALLET_CHANGE_DELAY`).',
  })
  pending: PendingWalletContract | null;
}
