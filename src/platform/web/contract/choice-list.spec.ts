import { ValidationError } from '../../kernel/errors/errors.pure.js';
import { choiceList, uuidList } from './choice-list.js';
import { FieldOf } from './fields.js';
import { readDraft } from './read-contract.js';

const FIRST = '550e8400-e29b-41d4-a716-446655440000';
const SECOND = '550e8400-e29b-41d4-a716-446655440001';

class ListQuery {
  @FieldOf({ schema: () => ({}), ...choiceList(['OPEN', 'FOUND'], { NEW: ['OPEN'] }) }, { optional: true })
  status?: string[];

  @FieldOf({ schema: () => ({}), ...uuidList(2) }, { optional: true })
  ids?: string[];
}

const problemOf = (query: object) => {
  try {
    readDraft(ListQuery, query).finish();
    return 'none';
  } catch (error) {
    return error instanceof ValidationError ? error.message : error;
  }
};

describe('a list of a query', () => {
  it.each<[object, object]>([
    [{ status: 'OPEN' }, { status: ['OPEN'] }],
    [{ status: 'OPEN,FOUND' }, { status: ['OPEN', 'FOUND'] }],
    [{ ids: `${FIRST},${SECOND}` }, { ids: [FIRST, SECOND] }],
    [{ ids: `${FIRST},${FIRST.toUpperCase()},${SECOND}` }, { ids: [FIRST, SECOND] }],
  ])('is read from %j', (query, read) => {
    expect(readDraft(ListQuery, query).finish()).toEqual(read);
  });

  it.each<[object, string]>([
    [{ status: '' }, 'The selected status is invalid.'],
    [{ status: 'OPEN,' }, 'The selected status is invalid.'],
    [{ status: 'OPEN, FOUND' }, 'Several are separated by commas, without spaces.'],
    [{ status: 'open' }, 'Did you mean OPEN?'],
    [{ status: 'new' }, 'Did you mean OPEN?'],
    [{ status: ['OPEN'] }, 'The selected status is invalid.'],
    [{ status: null }, 'The status field is required.'],
    [{ ids: '' }, 'The ids field must be a valid UUID, such as'],
    [{ ids: `${FIRST}, ${SECOND}` }, 'The ids field must be a valid UUID, without spaces around it. Several'],
    [{ ids: [FIRST] }, 'The ids field must be a valid UUID, such as'],
    [
      { ids: `${FIRST},${SECOND},${FIRST.replace(/0$/, '2')}` },
      'The ids field must not have more than 2 items.',
    ],
  ])('is refused: %j', (query, message) => {
    expect(problemOf(query)).toContain(message);
  });
});
