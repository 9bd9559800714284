import { ValidationError } from '../../kernel/errors/errors.pure.js';
import { Draft, readDraft, validateContract } from './read-contract.js';
import { AtomicAmount, Text, TextList } from './fields.js';

/** Unknown fields that resemble none. */
const unlike = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`zz${i}`, 1]));

describe('a draft', () => {
  class PaymentDto {
    @AtomicAmount()
    amount: bigint;

    @Text({ min: 3, max: 10 })
    currencyCode: string;

    @TextList({ max: 3, optional: true })
    tags?: string[] = ['none'];
  }

  it('has the valid fields and the problems of the others', () => {
    const draft = readDraft(PaymentDto, { amount: 0, currencyCode: 'USD', tags: ['a', 7] });
    expect(draft.given).toEqual({ currencyCode: 'USD' });
    draft.problems.add('currencyCode', 'The currencyCode field is odd.');
    expect(() => draft.finish()).toThrow('The amount field must be at least 1. (and 2 more errors)');
  });

  it('returns the body as its class when it has no problems', () => {
    const body = readDraft(PaymentDto, { amount: 5, currencyCode: 'USD' }).finish();
    expect(body).toEqual({ amount: 5n, currencyCode: 'USD', tags: ['none'] });
    expect(body).toBeInstanceOf(PaymentDto);
    expect(Draft.of({ a: 1 }).finish()).toEqual({ a: 1 });
  });

  it.each<[object, string | undefined]>([
    [{ ammount: 5, currencyCode: 'USD' }, 'amount'],
    [{ Amount: 5, currency: 'USD' }, 'amount or currencyCode'],
    [{ price: 5, currencyCode: 'USD' }, undefined],
    [{ amount: 0, currencyCode: 'USD', ammount: 5 }, undefined],
    [{ currencyCode: 'USD', ...unlike(19), ammount: 5 }, 'amount'],
    [{ currencyCode: 'USD', ...unlike(20), ammount: 5 }, undefined],
  ])('hints at the field that an unknown one is meant to be: %j', async (body, meant) => {
    const error: unknown = await validateContract(PaymentDto, body).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).extra.hint).toBe(
      meant &&
        `A field of the body that is not known here was ignored; is it meant to be ${meant}? Names are case-sensitive.`,
    );
  });

  it('hints at the top level when every field is below data, as in responses', async () => {
    const body = { data: { amount: 5, currencyCode: 'USD' } };
    const error: unknown = await validateContract(PaymentDto, body).catch((reason: unknown) => reason);
    expect((error as ValidationError).extra.hint).toBe(
      'The fields of a request stand at the top level of the body, not below data.',
    );
  });
});
