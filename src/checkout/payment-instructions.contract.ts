import { TokenContract } from '../chains/token.contract.js';
import { AmountContract, EXAMPLE_USDC_0, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import {
  EXAMPLE_PAYMENT_ID,
  OtherTransactionsContract,
  PAYMENT_STATUS,
  TransactionContract,
} from '../payments/payment.contract.js';
import type { PaymentStatus } from '../payments/payment-status.pure.js';
import { MAX_LISTED } from '../payments/transfers/transfer-listing.pure.js';
import { Contract, exampleOf } from '../platform/web/contract/contract.js';
import {
  Choice,
  Count,
  Constant,
  Instant,
  Nested,
  NestedList,
  Text,
  TextList,
  Uuid,
} from '../platform/web/contract/fields.js';
import { QrCodeContract } from '../platform/web/html/qr-code.contract.js';
import { type PathParameter, uuidParameter } from '../platform/web/contract/operation.js';
import { KEY_OWNERS, type KeyOwner } from '../wallets/key-owner.pure.js';
import { TREASURY_OR_NULL, TreasuryContract } from '../wallets/treasury/treasury.contract.js';
import { WALLET_KINDS, type WalletKind } from '../wallets/wallet-source.pure.js';
import { PaymentConfirmationsContract } from './checkout.contract.js';
import { BlockchainSummaryContract, EXAMPLE_LEAST_USDC } from './payment-methods.contract.js';

/** The parameters of the paths of instructions (specification/checkout.md#instructions-path). */
export const INSTRUCTIONS_PATH: Readonly<Record<string, PathParameter>> = {
  paymentId: uuidParameter('The payment.', EXAMPLE_PAYMENT_ID, 'PaymentId'),
  provider: { about: 'The blockchain, by its slug.', example: 'ethereum', component: 'Provider' },
  method: {
    about: 'The cryptocurrency, by its code in lower case.',
    example: 'usdt',
    component: 'Method',
  },
};

const EXAMPLE_ADDRESS = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const EXAMPLE_SIGNATURE = 'eyJhbGciOiJFZERTQSJ9.eyJ2IjoxfQ.c2lnbmF0dXJl';

@Contract('LockedRate', 'The price of one whole coin, locked until `expiresAt`.')
export class LockedRateContract {
  @Text({ about: 'The cryptocurrency.', example: 'USDC' })
  base: string;

  @Text({ about: 'The currency of the payment.', example: 'USD' })
  quote: string;

  @Text({ pattern: '^\\d+(\\.\\d+)?$', about: 'Decimal text.', example: '1.0000' })
  value: string;

  @Text({ about: 'The source of the rate.', example: 'kraken' })
  source: string;

  @Instant({ about: 'When it was locked.', example: '2026-01-15T10:02:00Z' })
  lockedAt: string;

  @Instant({ about: 'When the lock ends.', example: '2026-01-15T10:17:00Z' })
  expiresAt: string;
}

/** Where, how much and until when to pay (specification/checkout.md#instructions). */
@Contract('PaymentInstructions', 'Where, how much and until when to pay.')
export class PaymentInstructionsContract {
  @Uuid({ about: 'The payment.', example: EXAMPLE_PAYMENT_ID })
  paymentId: string;

  @Choice(PAYMENT_STATUS)
  status: PaymentStatus;

  @Constant('crypto_address', { about: 'The kind of instructions.' })
  type: 'crypto_address';

  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  provider: string;

  @Text({ about: 'The code of the cryptocurrency in lower case.', example: 'usdc' })
  method: string;

  @Nested(() => BlockchainSummaryContract)
  blockchain: BlockchainSummaryContract;

  @Nested(() => TokenContract, {
    nullable: true,
    about: 'Null for the native coin.',
    example: exampleOf(TokenContract, 'response'),
  })
  token: TokenContract | null;

  @Text({
    about:
      'The address to send to. Each payment has one for each kind of blockchain, and it is never used for another payment.',
    example: EXAMPLE_ADDRESS,
  })
  address: string;

  @Text({ nullable: true, about: 'The memo or tag to send with the address, on blockchains that need one.' })
  memo: string | null;

  @Text({ nullable: true, about: 'The name of `memo` on that blockchain.' })
  memoType: string | null;

  @Nested(() => AmountContract, {
    about: 'The amount that pays the payment in full at the locked rate.',
    example: EXAMPLE_USDC_100,
  })
  amount: AmountContract;

  @Nested(() => AmountContract, {
    about: 'Confirmed funds in this cryptocurrency.',
    example: EXAMPLE_USDC_0,
  })
  receivedAmount: AmountContract;

  @Nested(() => AmountContract, { about: 'The amount still to send.', example: EXAMPLE_USDC_100 })
  remainingAmount: AmountContract;

  @Nested(() => AmountContract, { about: 'Seen and not yet confirmed.', example: EXAMPLE_USDC_0 })
  pendingAmount: AmountContract;

  @Nested(() => AmountContract, {
    about:
      'The smallest amount that the blockchain transfers. A smaller remainder cannot be sent, and is not requested.',
    example: EXAMPLE_LEAST_USDC,
  })
  minAmount: AmountContract;

  @Text({
    nullable: true,
    about:
      'The link that wallets open (EIP-681, BIP 21), with the amount still to send. Null on Tron, and where that amount ' +
      'is less than `minAmount`: then show `warnings` instead. Never put the one of a token into a QR code or behind a ' +
      'button: several wallets send the money to the contract of the token, where it is lost. Show `qrCode`.',
    example: `ethereum:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48@1/transfer?address=${EXAMPLE_ADDRESS}&uint256=100000000`,
  })
  paymentUri: string | null;

  @Nested(() => QrCodeContract, {
    example: { ...exampleOf(QrCodeContract, 'response'), content: EXAMPLE_ADDRESS },
  })
  qrCode: QrCodeContract;

  @Nested(() => LockedRateContract)
  rate: LockedRateContract;

  @Instant({
    about: 'When the rate lock ends. Request the instructions again for a new rate at the same address.',
    example: '2026-01-15T10:17:00Z',
  })
  expiresAt: string;

  @Count({ about: 'Seconds until `expiresAt`.', example: 900 })
  secondsRemaining: number;

  @Instant({ about: 'When the checkout link expires.', example: '2026-03-15T12:00:00Z' })
  checkoutExpiresAt: string;

  @Instant({ about: 'The current time of the gateway.', example: '2026-01-15T10:02:00Z' })
  serverTime: string;

  @Nested(() => PaymentConfirmationsContract)
  confirmations: PaymentConfirmationsContract;

  @NestedList(() => TransactionContract, {
    about: `Movements of funds to the payment: all of them up to ${MAX_LISTED}, otherwise the largest of each coin.`,
    example: [],
  })
  transactions: TransactionContract[];

  @NestedList(() => OtherTransactionsContract, {
    about:
      `Those that \`transactions\` leaves out, added up by coin and status, of at most ${MAX_LISTED} kinds those that count ` +
      'for most; empty: none.',
    example: [],
  })
  otherTransactions: OtherTransactionsContract[];

  @Count({ about: 'How many there are, listed or not.', example: 0 })
  transactionCount: number;

  @TextList({
    about: 'Warnings to show to the customer; in English.',
    example: ['Send only USDC on the Ethereum network.'],
  })
  warnings: string[];

  @TextList({
    about:
      'Signatures over payment, blockchain, asset, address, amount and `expiresAt`: compact JWS (RFC 7515) with Ed25519, ' +
      'one by each key of `/api/instruction-keys`. Verify them on your server with a pinned key.',
    example: [EXAMPLE_SIGNATURE],
  })
  signatures: string[];
}

/** How an address is derived, for the merchant alone: the index tells how many payments there were. */
@Contract('Derivation', 'How an address is derived from an extended public key, or from a treasury.')
export class DerivationContract {
  @Choice(WALLET_KINDS, { about: 'Whether there is a key, or a treasury.', example: 'key' })
  kind: WalletKind;

  @Nested(() => TreasuryContract, TREASURY_OR_NULL)
  treasury: TreasuryContract | null;

  @Text({
    about: 'The fingerprint of the account key itself (BIP32), or of the treasury.',
    example: '3442193e',
  })
  keyFingerprint: string;

  @Text({
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    about:
      'The fingerprint of the master key, which most wallets show. Null: the origin of the key is not known.',
    example: '73c5da0a',
  })
  masterFingerprint: string | null;

  @Choice(KEY_OWNERS, {
    about:
      'Whose key it is: the wallet of the application, the default wallet of your account, or a key of the operator of ' +
      'this gateway, from whom you have to get the money.',
    example: 'application',
  })
  keyOwner: KeyOwner;

  @Count({ about: 'The index of the address.', example: 17 })
  index: number;

  @Text({ nullable: true, about: 'The path below that key. Null: there is none.', example: '0/17' })
  path: string | null;

  @Text({
    nullable: true,
    about:
      'The usual path in a wallet, by BIP 44, 49, 84 or 86. A key does not tell where it comes from, so that of a wallet ' +
      'with paths of its own is another one; `path` is always right. Null: there is no key.',
    example: "m/44'/60'/0'/0/17",
  })
  walletPath: string | null;
}

const EXAMPLE_DERIVATION = exampleOf(DerivationContract, 'response');

@Contract('MerchantPaymentInstructions', 'Payment instructions, with the derivation of the address.')
export class MerchantPaymentInstructionsContract extends PaymentInstructionsContract {
  @Nested(() => DerivationContract, {
    about: 'Verify with it, offline, that the address is of your own key.',
    example: EXAMPLE_DERIVATION,
  })
  derivation: DerivationContract;
}

@Contract('DepositAddress', 'An address that was allocated to a payment.')
export class DepositAddressContract {
  @Uuid({ about: 'The payment.', example: EXAMPLE_PAYMENT_ID })
  paymentId: string;

  @Text({ about: 'The kind of blockchains: one address serves them all.', example: 'evm' })
  family: string;

  @Text({ about: 'The address.', example: EXAMPLE_ADDRESS })
  address: string;

  @Nested(() => DerivationContract, {
    about: 'Verify with it, offline, that the address is of your own key.',
    example: EXAMPLE_DERIVATION,
  })
  derivation: DerivationContract;

  @TextList({
    about: 'Signatures over the three fields above `derivation`, as those of instructions.',
    example: [EXAMPLE_SIGNATURE],
  })
  signatures: string[];
}
