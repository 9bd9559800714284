import { Contract } from '../platform/web/contract/contract.js';
import { Count } from '../platform/web/contract/fields.js';

@Contract('Confirmations', 'How far the funds are: the least confirmed of those that still wait.')
export class ConfirmationsContract {
  @Count({ about: 'Blocks so far, at most `required`.', example: 0 })
  seen: number;

  @Count({ about: 'Blocks after which funds count.', example: 12 })
  required: number;
}
