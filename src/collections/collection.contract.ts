import { TokenContract } from '../chains/token.contract.js';
import { DerivationContract } from '../checkout/payment-instructions.contract.js';
import { AmountContract } from '../money/amount.contract.js';
import { toBigInt } from '../platform/web/contract/conversions.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import {
  Choice,
  Count,
  FieldOf,
  Nested,
  NestedList,
  Text,
  TextList,
} from '../platform/web/contract/fields.js';
import { wholeNumber } from '../platform/web/contract/json-schema.js';
import { CursorField } from '../platform/web/http/cursor-query.js';
import { NEWEST, parsePlace, type Place } from '../platform/web/http/keyset-cursor.pure.js';
import { atomic } from '../platform/web/contract/rules.js';
import { KEY_OWNERS, type KeyOwner } from '../wallets/key-owner.pure.js';
import { SigningPlanContract } from './keyed/signing-plan.contract.js';
import { LEFT_OUT, type LeftOutReason } from './left-out.pure.js';
import {
  CollectedAmountContract,
  SafeBatchContract,
  TreasuryCollectionContract,
  UnsignedCallContract,
} from './treasury-collection.contract.js';

/** More than Bitcoin and Litecoin have ever taken, and ten times what Dogecoin recommends. */
const MAX_FEE_RATE = 10_000n;
/** Ten million dollars, in cents. */
const MAX_MINIMUM = 1_000_000_000n;

/** Smallest units for each virtual byte of a transaction that is prepared. */
export function FeeRate(): PropertyDecorator {
  return FieldOf(
    {
      schema: () => wholeNumber(1, Number(MAX_FEE_RATE)),
      convert: toBigInt,
      rules: [atomic('be a whole number of smallest units for each virtual byte', 1n, MAX_FEE_RATE)],
    },
    {
      optional: true,
      about:
        'The fee for each virtual byte in the smallest unit (sat/vB). Without it, what the node estimates for the next ' +
        'six blocks; a node without an estimate asks for it.',
      example: 5,
    },
  );
}

/** Body of POST /api/payment-applications/{id}/collections. */
@Contract('PrepareCollection', 'What to gather, and where.')
export class PrepareCollectionContract {
  @Text({
    min: 1,
    max: 64,
    about: 'The slug of the blockchain: `bitcoin`, `litecoin`, `dogecoin`, or one of the EVM chains.',
    example: 'bitcoin',
  })
  blockchain: string;

  @Text({
    min: 1,
    max: 4_096,
    optional: true,
    about:
      'Required for `bitcoin`, `litecoin` and `dogecoin`, and for no other. The address that receives everything, on the same network. Take one that no payment gets: of another account, ' +
      'or a change address.',
    example: 'bc1q9d4ywgfnd8h43da5tpcxcn6ajv590cg6d3tg6axemvljvt2k76zs50tv4q',
  })
  destination?: string;

  @FeeRate()
  feeRate?: bigint;

  @TextList({
    optional: true,
    min: 1,
    max: 20,
    unique: true,
    about:
      'EVM chains: the codes of the coins to look at; without it, all. The native coin of an address comes along with any ' +
      'of its tokens.',
    example: ['USDC'],
  })
  coins?: string[];

  @FieldOf(
    {
      schema: () => wholeNumber(0, Number(MAX_MINIMUM)),
      convert: toBigInt,
      rules: [atomic('be a whole number of US cents', 0n, MAX_MINIMUM)],
    },
    {
      optional: true,
      about:
        'EVM chains: what is worth less than this on one address is left alone; in US cents. What has no rate is never ' +
        'left alone for it.',
      example: 500,
    },
  )
  minimum?: bigint;
}

/** Query of POST /api/payment-applications/{id}/collections. */
export class CollectionQuery {
  @CursorField(parsePlace, {
    optional: true,
    about: '`next` of the response before, with the same blockchain; without it, the newest outputs.',
  })
  after: Place = NEWEST;
}

export const EXAMPLE_BITCOIN = {
  value: 0.0125,
  amount: 1_250_000,
  formatted: '0.01250000 BTC',
  atomic: '1250000',
  currency: { code: 'BTC', name: 'Bitcoin', decimals: 8 },
  decimals: 8,
  symbol: '₿',
};

@Contract('CollectionPsbt', 'One transaction, without signatures, of addresses of one account key.')
export class CollectionPsbtContract {
  @Text({
    about:
      'A partially signed bitcoin transaction in base64 (BIP 174, version 0), with one output; that of a payout has one for each refund, and the change. Its inputs can be replaced by ' +
      'a higher fee (BIP 125).',
    example: 'cHNidP8BAFICAAAAAQ…',
  })
  psbt: string;

  @Text({ about: 'The fingerprint of the account key that signs it (BIP32).', example: '3442193e' })
  keyFingerprint: string;

  @Text({
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    about:
      'The fingerprint of its master key, which the PSBT names. Null: the origin of the key is not known, and the PSBT ' +
      'names the account key and the path below it.',
    example: '73c5da0a',
  })
  masterFingerprint: string | null;

  @Text({
    about: 'The path of the account key; the usual one where its origin is not known.',
    example: "m/84'/0'/0'",
  })
  accountPath: string;

  @Choice(KEY_OWNERS, {
    about: 'Whose key it is. A PSBT of a key of the operator is for the operator to sign.',
    example: 'application',
  })
  keyOwner: KeyOwner;

  @Count({ min: 1, about: 'How many outputs it spends.', example: 60 })
  inputs: number;

  @Nested(() => AmountContract, {
    about: 'What arrives; of a payout, at the customers.',
    example: EXAMPLE_BITCOIN,
  })
  amount: AmountContract;

  @Nested(() => AmountContract, { about: 'What the miner gets.', example: EXAMPLE_BITCOIN })
  fee: AmountContract;

  @Count({ min: 1, about: 'Smallest units for each virtual byte.', example: 5 })
  feeRate: number;

  @Count({ min: 1, max: 400_000, about: 'With the longest signatures (BIP 141).', example: 16_498 })
  weight: number;
}

@Contract('LeftOut', 'An output, or what an address holds of a coin, that is in no transaction.')
export class LeftOutContract {
  @Text({ about: 'The deposit address.', example: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' })
  address: string;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'How much. Null: no node says what the address holds.',
    example: EXAMPLE_BITCOIN,
  })
  amount: AmountContract | null;

  @Nested(() => TokenContract, { nullable: true, about: 'Null for the native coin.', example: null })
  token: TokenContract | null;

  @Text({
    nullable: true,
    about: 'The transaction that paid it; null on EVM chains, where an address has one balance.',
    example: 'ab'.repeat(32),
  })
  txHash: string | null;

  @Nested(() => DerivationContract, {
    nullable: true,
    about: 'Where its key is, or its treasury. Null: it cannot be read, or the address is not of it.',
    example: exampleOf(DerivationContract, 'response'),
  })
  derivation: DerivationContract | null;

  @Choice(LEFT_OUT, {
    about:
      '`unconfirmed`: too few confirmations. `immature`: newly mined coins, which cannot be spent yet. `spent`: it was ' +
      'spent, perhaps by a transaction that waits. `unknown`: the node does not know it in its block. `unread`: the node ' +
      'did not answer; ask again. `uneconomic`: it costs as much to spend as it brings. `too_little`: together with the ' +
      'others less than nodes relay. `previous_missing`: the node does not have the transaction, without which this type ' +
      'of address is not signed. `key_unavailable`: its key cannot be read, or the address is not of it. ' +
      '`below_minimum`: the address holds less than `minimum`. `refused`: the token would not pay it out now, because its ' +
      'issuer has frozen the address or stopped the token. `of_key`: the address has a key and no treasury, and ' +
      'is for the offline signer: see `plans`, where it is unless a node does not say enough, or it lacks coin for fees and its payment is not paid yet.',
    example: 'spent',
  })
  reason: LeftOutReason;
}

@Contract('Collection', 'What is to be signed. Nothing of it is stored: ask again whenever you like.')
export class CollectionContract {
  @NestedList(() => CollectionPsbtContract, {
    about: 'One for each account key, and more where a transaction would be larger than nodes relay.',
  })
  psbts: CollectionPsbtContract[];

  @NestedList(() => TreasuryCollectionContract, {
    about: 'EVM chains: at most 100 addresses in each, each treasury by itself.',
  })
  transactions: TreasuryCollectionContract[];

  @NestedList(() => SafeBatchContract, {
    about: 'The same transactions for treasuries that are contracts, as a Safe is.',
  })
  safeBatches: SafeBatchContract[];

  @NestedList(() => SigningPlanContract, {
    about:
      'EVM chains: what lies on addresses that have a key, for the offline signer of the client package; one for each ' +
      'account key. The same is in `leftOut` as `of_key`.',
  })
  plans: SigningPlanContract[];

  @Nested(() => UnsignedCallContract, {
    nullable: true,
    about:
      'The transaction that puts the contract that collects on this chain. Send it first: anybody may, once. Null: it is ' +
      'there, or not needed, or no node says.',
    example: null,
  })
  deployment: UnsignedCallContract | null;

  @NestedList(() => CollectedAmountContract, { about: 'What arrives by all of them, by coin.' })
  expected: CollectedAmountContract[];

  @TextList({
    about:
      'EVM chains: codes of the coins whose value is not known, so that it was not compared with the cost; the native coin ' +
      'is among them where the price of gas is not known.',
    example: [],
  })
  unpriced: string[];

  @NestedList(() => LeftOutContract, { about: 'What was looked at and is in none of them, with the reason.' })
  leftOut: LeftOutContract[];

  @Text({
    nullable: true,
    about: 'Send it as `after` to go on with older outputs or addresses. Null: these were all.',
    example: 'pRk3vC0mWq8xT5yB1nZ7uE9aL2dJ6fHsG4oXcVbQiKtYwNrMzSgPhD',
  })
  next: string | null;
}
