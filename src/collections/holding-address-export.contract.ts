import { BlockchainFilter } from '../chains/blockchain-filter.contract.js';
import { Contract } from '../platform/web/contract/contract.js';
import { AtomicText, Choice, Instant, Text, Uuid } from '../platform/web/contract/fields.js';
import { ExportQuery } from '../platform/web/http/export-query.js';
import { KEY_OWNERS, type KeyOwner } from '../wallets/key-owner.pure.js';

const EXAMPLE_CONTRACT = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

/** Query of GET /api/payment-applications/{id}/holdings/addresses/export (specification/exports.md#addresses). */
export class ExportHoldingAddressesQuery extends ExportQuery {
  @BlockchainFilter('On this blockchain, by its slug. The page that collects takes a file of one.')
  blockchain?: string;
}

/**
 * A row of the export of received funds by address. The page that collects reads those from `blockchain` to `tokens`
 * (wallets/collection-export.pure.ts).
 */
@Contract('HoldingAddressExportRow', 'What one deposit address has received in one asset, in an export.')
export class HoldingAddressExportRow {
  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  blockchain: string;

  @Text({ about: 'The deposit address.', example: '0x52908400098527886E0F7030069857D2E4169EE7' })
  address: string;

  @Text({
    nullable: true,
    pattern: '^\\d+$',
    about: 'The index of the address, below its key or of its treasury. Null: the key cannot be read.',
    example: '17',
  })
  index: string | null;

  @Text({
    nullable: true,
    about: 'The namespace of the treasury. Null: the address has a key, as for the next two.',
    example: '00112233445566778899aabbccddeeff',
  })
  namespace: string | null;

  @Text({ nullable: true, about: 'The treasury.', example: '0xde709f2102306220921060314715629080e2fb77' })
  treasury: string | null;

  @Text({
    nullable: true,
    about: 'The contract that collects.',
    example: '0xC589b71eA2D9dcC0d27B6A2d5402Cd9F065dFe2E',
  })
  factory: string | null;

  @Text({
    nullable: true,
    about:
      'The contract of the token, under the name that the page that collects reads. Null for the native coin.',
    example: EXAMPLE_CONTRACT,
  })
  tokens: string | null;

  @Text({
    nullable: true,
    about: 'The path below the account key. Null: the address is of a treasury, or its key cannot be read.',
    example: null,
  })
  path: string | null;

  @Text({ nullable: true, about: 'The usual path in a wallet. Null: as `path`.', example: null })
  walletPath: string | null;

  @Text({
    nullable: true,
    about:
      'The fingerprint of the account key itself (BIP32), or of the treasury. Null: the key cannot be read.',
    example: '3442193e',
  })
  keyFingerprint: string | null;

  @Choice(KEY_OWNERS, {
    nullable: true,
    about: 'Whose key or treasury it is. Null: the key cannot be read.',
    example: 'application',
  })
  keyOwner: KeyOwner | null;

  @Text({ about: 'The received coin.', example: 'USDC' })
  currencyCode: string;

  @Text({
    pattern: '^\\d+(\\.\\d+)?$',
    about: 'The confirmed total in whole coins, exact, including what was spent since.',
    example: '100.000000',
  })
  receivedAmount: string;

  @AtomicText({ min: 0n, about: 'The same in the smallest unit on this blockchain.', example: '100000000' })
  receivedAmountAtomic: string;

  @Uuid({ about: 'The payment whose address it is.', example: '0190f6a0-0000-7000-8000-000000000000' })
  paymentId: string;

  @Text({ about: 'Your reference of the payment.', example: 'ORDER-1' })
  reference: string;

  @Instant({ about: 'When its first transfer was seen.', example: '2026-01-15T10:04:12Z' })
  firstSeenAt: string;
}
