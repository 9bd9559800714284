import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, Text } from '../../platform/web/contract/fields.js';

@Contract(
  'Treasury',
  'The address that everything goes to which is paid to a wallet without a key: its deposit addresses can pay nobody else.',
)
export class TreasuryContract {
  @Text({
    about: 'The address that was set, a wallet or a Safe.',
    example: '0x52908400098527886E0F7030069857D2E4169EE7',
  })
  address: string;

  @Text({
    about: 'The contract that collects, the same on every EVM chain.',
    example: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  })
  factory: string;

  @Choice(['passing'], {
    about:
      'What is at a deposit address. `passing`: never a contract, except within the transaction that collects.',
    example: 'passing',
  })
  kind: 'passing';

  @Text({
    pattern: '^[0-9a-f]{32}$',
    about:
      'Drawn when the treasury was set, so that no two wallets share an address. With the index it is the salt of a ' +
      'deposit address.',
    example: '4f1a2b3c4d5e6f708192a3b4c5d6e7f8',
  })
  namespace: string;
}

/** A field of what has a key, or a treasury. */
export const TREASURY_OR_NULL = {
  nullable: true,
  about: 'Where the money goes that is paid to these addresses. Null: they are derived from a key.',
} as const;
