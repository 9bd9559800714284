import { FieldProblems } from '../../platform/kernel/errors/field-problems.js';
import { ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import { type RequestedAmount, readRequestedAmount } from './requested-amount.pure.js';

const REQUIRED = { amount: ['The amount field is required when amountAtomic is not present.'] };
const BOTH = { amountAtomic: ['The amountAtomic field must not be sent together with amount.'] };
const WRONG_AMOUNT = { amount: ['The amount field must be an integer.'] };
const WRONG_ATOMIC = { amountAtomic: ['The amountAtomic field must be a string of digits.'] };
type Given = Parameters<typeof readRequestedAmount>[0];
type Errors = Record<string, string[]>;

function errorsOf(problems: FieldProblems): Errors {
  try {
    problems.throwIfAny();
    return {};
  } catch (error) {
    return error instanceof ValidationError ? (error.extra.errors ?? {}) : {};
  }
}

describe('readRequestedAmount', () => {
  it.each<[what: string, given: Given, before: Errors, asked: RequestedAmount | null, after: Errors]>([
    ['an integer', { amount: 5n }, {}, { field: 'amount', units: 5n }, {}],
    ['digits', { amountAtomic: 5n }, {}, { field: 'amountAtomic', units: 5n }, {}],
    ['an integer and null', { amount: 5n, amountAtomic: null }, {}, { field: 'amount', units: 5n }, {}],
    ['null and digits', { amount: null, amountAtomic: 5n }, {}, { field: 'amountAtomic', units: 5n }, {}],
    ['nothing', {}, {}, null, REQUIRED],
    ['null twice', { amount: null, amountAtomic: null }, {}, null, REQUIRED],
    ['both, also when they agree', { amount: 5n, amountAtomic: 5n }, {}, null, BOTH],
    ['a wrong integer', {}, WRONG_AMOUNT, null, WRONG_AMOUNT],
    ['wrong digits', {}, WRONG_ATOMIC, null, WRONG_ATOMIC],
    ['a wrong integer and digits', { amountAtomic: 5n }, WRONG_AMOUNT, null, { ...WRONG_AMOUNT, ...BOTH }],
    [
      'an integer and wrong digits',
      { amount: 5n },
      WRONG_ATOMIC,
      null,
      { amountAtomic: [...WRONG_ATOMIC.amountAtomic, ...BOTH.amountAtomic] },
    ],
  ])('%s', (_what, given, before, asked, after) => {
    const problems = new FieldProblems(before);
    expect(readRequestedAmount(given, problems)).toEqual(asked);
    expect(errorsOf(problems)).toEqual(after);
  });
});
