import { isDefect, isTransient, refusesWrites, sqlState } from './database-errors.pure.js';

const withCode = (code: unknown) => Object.assign(new Error('refused'), { code });

describe('an error of the database', () => {
  it.each([
    ['a failed connection', withCode('08006'), true],
    ['a server without connections left', withCode('53300'), true],
    ['a shutdown', withCode('57P01'), true],
    ['a deadlock', withCode('40P01'), true],
    ['a port that nothing listens on', withCode('ECONNREFUSED'), true],
    ['a pool without free connections', new Error('timeout exceeded when trying to connect'), true],
    ['a duplicate key', withCode('23505'), false],
    ['an unknown table', withCode('42P01'), false],
    ['an error without a code', new Error('refused'), false],
  ])('is transient or not: %s', (_what, error, transient) => {
    expect(isTransient(error)).toBe(transient);
  });

  it.each([
    ['a value of a later version', withCode('22007'), true],
    ['an unknown table', withCode('42P01'), true],
    ['a right that is missing', withCode('42501'), true],
    ['a mistake of the program', new TypeError('x is not a function'), true],
    ['a duplicate key', withCode('23505'), false],
    ['a failed connection', withCode('08006'), false],
    ['no answer of a node', new Error('refused'), false],
    ['a text', '42601', false],
  ])('can be mended by nobody but a programmer or not: %s', (_what, error, expected) => {
    expect(isDefect(error)).toBe(expected);
  });

  it.each([
    ['53100', true],
    ['25006', true],
    ['23505', false],
  ])('with the code %s refuses writes that a healthy one accepts: %s', (code, refuses) => {
    expect(refusesWrites(withCode(code))).toBe(refuses);
  });

  it.each([
    [withCode('40001'), '40001'],
    [withCode(7), null],
    [new Error('refused'), null],
    ['40001', null],
  ])('has a code only as text: %p', (error, code) => {
    expect(sqlState(error)).toBe(code);
  });
});
