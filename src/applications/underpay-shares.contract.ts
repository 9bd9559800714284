import type { FieldOptions } from '../platform/web/contract/field.js';
import { Count, FieldOf } from '../platform/web/contract/fields.js';
import { wholeNumber } from '../platform/web/contract/json-schema.js';
import { rule } from '../platform/web/contract/rules.js';
import { UNDERPAY_SHARES, WHOLE_BPS } from './underpay-shares.pure.js';

/** Requests: a part of an amount, in hundredths of a percent. */
function Bps(min: number, options: FieldOptions): PropertyDecorator {
  return FieldOf(
    {
      schema: () => wholeNumber(min, WHOLE_BPS),
      rules: [
        rule('bps', (value) =>
          typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= WHOLE_BPS
            ? null
            : `be an integer from ${min} to ${WHOLE_BPS}, in hundredths of a percent: 9500 for 95 %`,
        ),
      ],
    },
    options,
  );
}

/** What a request says about underpayments. */
export class UnderpayShareFields {
  @Bps(1, {
    optional: true,
    about:
      'The least part of the amount, in hundredths of a percent, that `allowUnderpay` accepts by itself; you decide about ' +
      'less. 9500 unless set, which is 95 %.',
    example: UNDERPAY_SHARES.underpayLeastShareBps,
  })
  underpayLeastShareBps?: number;

  @Bps(0, {
    optional: true,
    about:
      'The part of the amount, in hundredths of a percent, that may be missing of a payment that counts as paid in full, ' +
      'e.g. 100 for fees of 1 % that exchanges deduct. Not more than `underpayLeastShareBps` leaves. 0 unless set.',
    example: UNDERPAY_SHARES.underpayToleranceBps,
  })
  underpayToleranceBps?: number;
}

/** What a response says about them. */
export class UnderpaySharesContract {
  @Count({
    about: 'Hundredths of a percent of the amount; less is not accepted by itself.',
    example: UNDERPAY_SHARES.underpayLeastShareBps,
  })
  underpayLeastShareBps: number;

  @Count({
    about: 'Hundredths of a percent of the amount that may be missing of what counts as paid in full.',
    example: UNDERPAY_SHARES.underpayToleranceBps,
  })
  underpayToleranceBps: number;
}
