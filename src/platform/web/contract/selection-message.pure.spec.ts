import { selectionMessage } from './selection-message.pure.js';

const STATUSES = ['OPEN', 'FOUND', 'UNDERPAID'];
const MANY = Array.from({ length: 21 }, (_, at) => `choice-${at}`);
const INVALID = 'The selected field is invalid.';

describe('selectionMessage', () => {
  it.each<[string, unknown, Parameters<typeof selectionMessage>[2], string]>([
    [
      'another case',
      'open',
      { allowed: STATUSES },
      `${INVALID} Did you mean OPEN? It must be one of OPEN, FOUND, UNDERPAID.`,
    ],
    ['nothing near', 'closed', { allowed: STATUSES }, `${INVALID} It must be one of OPEN, FOUND, UNDERPAID.`],
    ['no text', 7, { allowed: STATUSES }, `${INVALID} It must be one of OPEN, FOUND, UNDERPAID.`],
    ['a single choice', 'x', { allowed: ['USD'] }, `${INVALID} It must be USD.`],
    ['nothing to choose', 'x', { allowed: [] }, INVALID],
    ['a long list', 'x', { allowed: MANY }, INVALID],
    ['a long list with a near miss', 'Choice_7', { allowed: MANY }, `${INVALID} Did you mean choice-7?`],
    [
      'a rule instead of the list',
      'opne',
      { allowed: STATUSES, rule: 'Statuses are upper-case.' },
      `${INVALID} Did you mean OPEN? Statuses are upper-case.`,
    ],
    [
      'a meaning that the caller knows',
      'closed',
      { allowed: STATUSES, meant: ['FOUND', 'OPEN'] },
      `${INVALID} Did you mean FOUND or OPEN? It must be one of OPEN, FOUND, UNDERPAID.`,
    ],
  ])('%s', (_name, sent, selection, message) =>
    expect(selectionMessage('field', sent, selection)).toBe(message),
  );

  it('never repeats what was sent', () =>
    expect(selectionMessage('field', 'whsec_c2VjcmV0', { allowed: STATUSES })).not.toContain('whsec'));
});
