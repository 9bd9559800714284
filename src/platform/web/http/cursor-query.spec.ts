import { ContractPipe } from '../contract/read-contract.js';
import type { Cursors } from '../cursors/cursors.service.js';
import { CursorField } from './cursor-query.js';

class ListDto {
  @CursorField((text) => (text === '7' ? 7n : null), {})
  after: bigint;
}

const cursors = { open: (text: string) => (text === 'sealed' ? '7' : null) };
const pipe = new ContractPipe(cursors as Cursors);
const read = async (query: object) => pipe.transform(query, { type: 'query', metatype: ListDto });

it('reads a cursor as what it was made of', async () => {
  expect(await read({ after: 'sealed' })).toEqual({ after: 7n });
});

it.each(['7', 'other', '-', ''])(
  'refuses %j, which is none, also where it is what one is made of',
  async (after) => {
    await expect(read({ after })).rejects.toMatchObject({
      extra: { errors: { after: ['The after field must be a cursor that this endpoint returned.'] } },
    });
  },
);
