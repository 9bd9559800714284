import { SCOPES, type Scope } from '../platform/web/security/auth.js';
import { covers } from './scopes.pure.js';

describe('covers', () => {
  const table: [string[], Record<Scope, boolean>][] = [
    [
      [],
      {
        'payments.create': false,
        'payments.get': false,
        'payments.user-instructions.get': false,
        '*': false,
      },
    ],
    [
      ['payments.create'],
      { 'payments.create': true, 'payments.get': false, 'payments.user-instructions.get': false, '*': false },
    ],
    [
      ['payments.get'],
      { 'payments.create': false, 'payments.get': true, 'payments.user-instructions.get': false, '*': false },
    ],
    [
      ['payments.user-instructions.get'],
      { 'payments.create': false, 'payments.get': false, 'payments.user-instructions.get': true, '*': false },
    ],
    [
      ['*'],
      { 'payments.create': true, 'payments.get': true, 'payments.user-instructions.get': true, '*': true },
    ],
    [
      ['payments.create', 'payments.get', 'payments.user-instructions.get'],
      { 'payments.create': true, 'payments.get': true, 'payments.user-instructions.get': true, '*': false },
    ],
    // Neither a prefix nor another case is the scope.
    [
      ['payments', 'payments.*', 'PAYMENTS.GET', 'payments.get.all', ''],
      {
        'payments.create': false,
        'payments.get': false,
        'payments.user-instructions.get': false,
        '*': false,
      },
    ],
  ];

  it.each(table.flatMap(([granted, row]) => SCOPES.map((scope) => [granted, scope, row[scope]] as const)))(
    'returns whether %j includes %s: %s',
    (granted, required, expected) => {
      expect(covers(granted, required)).toBe(expected);
    },
  );
});
