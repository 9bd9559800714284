import { ConflictError, ValidationError } from './errors.pure.js';
import { FieldProblems } from './field-problems.js';

function thrownBy(problems: FieldProblems): unknown {
  try {
    problems.throwIfAny();
  } catch (error) {
    return error;
  }
  return null;
}

describe('FieldProblems', () => {
  it('does not throw without problems', () => expect(thrownBy(new FieldProblems())).toBeNull());

  it('throws all problems together, each message once, with the hint', () => {
    const problems = new FieldProblems({ name: ['The name field is required.'] }, 'Look here.');
    problems.add('amount', 'The amount field must be at least 1.');
    problems.add('amount', 'The amount field must be at least 1.');
    problems.addAll({ amount: ['The amount field is odd.'] });
    expect(thrownBy(problems)).toMatchObject({
      code: 'validation_failed',
      message: 'The name field is required. (and 2 more errors)',
      extra: {
        errors: {
          name: ['The name field is required.'],
          amount: ['The amount field must be at least 1.', 'The amount field is odd.'],
        },
        hint: 'Look here.',
      },
    });
  });

  it.each([
    ['list', true],
    ['list.1', true],
    ['list.0', false],
    ['lis', false],
  ])('treats a problem of an item as one of its field: %s is %p', (field, known) => {
    expect(new FieldProblems({ 'list.1': ['The list.1 field is odd.'] }).has(field)).toBe(known);
  });

  it('replaces a message with a more precise one', () => {
    const problems = new FieldProblems({ amount: ['The amount field must be an integer.'] });
    problems.replace('amount', 'The amount field must be 2500 for 25.00 USD.');
    expect(thrownBy(problems)).toMatchObject({ message: 'The amount field must be 2500 for 25.00 USD.' });
  });

  it('collects the errors of a failing check and returns the result of a passing one', async () => {
    const problems = new FieldProblems();
    expect(await problems.collect(() => 7)).toBe(7);
    const refuse = () => {
      throw ValidationError.of('url', 'The url field is odd.');
    };
    expect(await problems.collect(refuse)).toBeNull();
    expect(await problems.collect(async () => refuse())).toBeNull();
    expect(thrownBy(problems)).toMatchObject({ extra: { errors: { url: ['The url field is odd.'] } } });
  });

  it('rethrows errors that are not about validation', async () => {
    const other = new ConflictError('application_deleted', 'deleted');
    const unselected = new ValidationError({ method: ['odd'] }, 'method_selection_required');
    for (const error of [other, unselected])
      await expect(
        new FieldProblems().collect(() => {
          throw error;
        }),
      ).rejects.toBe(error);
  });
});
