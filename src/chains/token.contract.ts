import { Contract } from '../platform/web/contract/contract.js';
import { Count, Text } from '../platform/web/contract/fields.js';

/** A token contract on one chain, as payment methods, instructions and refunds show it. */
@Contract('Token', 'A token contract on a blockchain.')
export class TokenContract {
  @Text({ about: 'E.g. `ERC-20`.', example: 'ERC-20' })
  standard: string;

  @Text({ about: 'The address of the contract.', example: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' })
  contractAddress: string;

  @Count({ about: 'Digits after the decimal point on this blockchain.', example: 6 })
  decimals: number;
}
