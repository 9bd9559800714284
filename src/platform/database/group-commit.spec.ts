import { GroupCommit } from './group-commit.js';

/** A write that ends when a test says so. */
function heldWrites() {
  const groups: number[][] = [];
  const ends: (() => void)[] = [];
  const write = async (items: number[]): Promise<string[]> => {
    groups.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => `done ${item}`);
  };
  return { groups, write, endNext: () => ends.shift()?.() };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('GroupCommit writes the items of one turn together and collects the next ones meanwhile', async () => {
  const { groups, write, endNext } = heldWrites();
  const commit = new GroupCommit(write, { items: 10, writes: 1 });
  const first = [commit.add(1), commit.add(2)];
  await nextTurn();
  const second = [commit.add(3), commit.add(4)];
  await nextTurn();
  expect(groups).toEqual([[1, 2]]);
  endNext();
  expect(await Promise.all(first)).toEqual(['done 1', 'done 2']);
  await nextTurn();
  expect(groups).toEqual([
    [1, 2],
    [3, 4],
  ]);
  endNext();
  expect(await Promise.all(second)).toEqual(['done 3', 'done 4']);
});

it('GroupCommit limits the size and the number of concurrent groups', async () => {
  const { groups, write, endNext } = heldWrites();
  const commit = new GroupCommit(write, { items: 2, writes: 2 });
  const all = [1, 2, 3, 4, 5].map((item) => commit.add(item));
  await nextTurn();
  await nextTurn();
  await nextTurn();
  expect(groups).toEqual([
    [1, 2],
    [3, 4],
  ]);
  endNext();
  await all[0];
  await nextTurn();
  await nextTurn();
  expect(groups.at(-1)).toEqual([5]);
  endNext();
  endNext();
  expect(await Promise.all(all)).toHaveLength(5);
});

it('GroupCommit tells all items of a group together that it is being written, and the next ones only when theirs is', async () => {
  const { write, endNext } = heldWrites();
  const commit = new GroupCommit(write, { items: 10, writes: 1 });
  const sent: number[] = [];
  const add = (item: number) => commit.add(item, () => void sent.push(item));
  const first = [add(1), add(2)];
  await nextTurn();
  const second = add(3);
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent).toEqual([1, 2]);
  await nextTurn();
  expect(sent).toEqual([1, 2]);
  endNext();
  await Promise.all(first);
  await nextTurn();
  await nextTurn();
  expect(sent).toEqual([1, 2, 3]);
  endNext();
  await second;
});

it('GroupCommit fails only the bad item of a group', async () => {
  const groups: number[][] = [];
  const commit = new GroupCommit(
    async (items: number[]) => {
      groups.push(items);
      if (items.includes(2)) throw new Error('two is bad');
      return items;
    },
    { items: 10, writes: 1 },
  );
  const results = await Promise.allSettled([1, 2, 3].map((item) => commit.add(item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual([[1, 2, 3], [1], [2], [3]]);
});

it('GroupCommit does not retry each item while the database is unavailable', async () => {
  let writes = 0;
  const commit = new GroupCommit(
    async (_items: number[]): Promise<number[]> => {
      writes++;
      throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    },
    { items: 10, writes: 1 },
  );
  const results = await Promise.allSettled([1, 2, 3].map((item) => commit.add(item)));
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(writes).toBe(1);
});

it('GroupCommit rejects a write that does not return one result per item', async () => {
  const commit = new GroupCommit(async () => ['one'], { items: 10, writes: 1 });
  const results = await Promise.allSettled([commit.add(1), commit.add(2)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  const none = new GroupCommit(async (): Promise<string[]> => [], { items: 10, writes: 1 });
  await expect(none.add(1)).rejects.toThrow('0 results of 1');
});
