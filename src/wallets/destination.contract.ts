import { Contract } from '../platform/web/contract/contract.js';
import { Choice, Nested, Text } from '../platform/web/contract/fields.js';
import { TREASURY_OR_NULL, TreasuryContract } from './treasury/treasury.contract.js';
import { KEY_OWNERS, type KeyOwner } from './key-owner.pure.js';

@Contract(
  'Destination',
  'Whose key new payments of an application are paid to, in one family of blockchains.',
)
export class DestinationContract {
  @Text({ about: 'The family of blockchains, e.g. `evm`.', example: 'evm' })
  family: string;

  @Choice(KEY_OWNERS, {
    nullable: true,
    about:
      'Whose key it is: the wallet of the application, the default wallet of your account, or a key of the operator of ' +
      'this gateway. Null: there is no key, and customers are not offered these blockchains.',
    example: 'application',
  })
  owner: KeyOwner | null;

  @Text({
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    about: 'The fingerprint of the account key itself (BIP 32), or of the treasury.',
    example: '3442193e',
  })
  fingerprint: string | null;

  @Text({
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    about: 'The fingerprint of the master key, which most wallets show. Null: its origin is not known.',
    example: '73c5da0a',
  })
  masterFingerprint: string | null;

  @Text({
    nullable: true,
    about:
      "The path of the key in its wallet: the one it was set with or says itself (Electrum: `m`, `m/0'`), otherwise the " +
      'usual one of its script type and coin. Null: there is no key, or it belongs to another network.',
    example: "m/84'/0'/0'",
  })
  accountPath: string | null;

  @Nested(() => TreasuryContract, TREASURY_OR_NULL)
  treasury: TreasuryContract | null;
}
