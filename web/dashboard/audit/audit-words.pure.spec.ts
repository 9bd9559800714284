import { AUDIT_ACTIONS } from '../../../src/platform/kernel/audit-actions.pure.js';
import { ACT_WORDS, actorOf, actWords, targetOf } from './audit-words.pure.js';

const NAMES = new Map([
  ['u1', 'mia@shop.example'],
  ['a1', 'Bean & Leaf'],
]);

describe('an entry of the audit log', () => {
  it('knows every act that the gateway records', () => {
    expect(Object.keys(ACT_WORDS).toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
  });

  it('keeps the codes of those alone that the operator does to the gateway and its users', () => {
    const coded = AUDIT_ACTIONS.filter((act) => actWords(act) === null);
    expect(coded.filter((act) => !/^(user|wallets|chain|secrets|audit_log)\./.test(act))).toEqual([]);
  });

  it.each(['of.a.later.version', 'constructor', ''])('shows %j by its code', (act) => {
    expect(actWords(act)).toBeNull();
  });

  it.each([
    ['user', 'u1', { name: 'mia@shop.example' }],
    ['user', 'gone', { words: 'actor.user' }],
    ['user', null, { words: 'actor.user' }],
    // An id of another kind is nobody's name.
    ['client_token', 'u1', { words: 'actor.token' }],
    ['system', null, { words: 'did.by-gateway' }],
    ['anonymous', null, { words: 'did.by-nobody' }],
    ['operator', null, { words: 'actor.operator' }],
  ] as const)('by %s %s names %j', (kind, id, expected) => {
    expect(actorOf({ kind, id }, NAMES)).toEqual(expected);
  });

  it.each([
    ['application', 'a1', { words: 'payments.application', name: 'Bean & Leaf', path: '/applications/a1' }],
    ['application', 'a2', { words: 'payments.application', name: 'a2', path: '/applications/a2' }],
    ['payment', 'p1', { words: 'funds.payment', name: 'p1', path: '/payments/p1' }],
    ['user', 'u1', { words: null, name: 'mia@shop.example', path: null }],
    ['wallet', 'w1', { words: 'wallets.key', name: 'w1', path: null }],
    ['constructor', 'x', { words: null, name: 'x', path: null }],
  ])('about the %s %s has %j', (kind, id, expected) => {
    expect(targetOf({ kind, id }, NAMES)).toEqual(expected);
  });
});
