import { TipNotification } from './tip-notification.js';

const block = (height: number) => ({ height, hash: `hash ${height}` });

function announced() {
  const asked: string[] = [];
  const known = new TipNotification((hash) => {
    asked.push(hash);
    return hash === 'hash 13' ? Promise.reject(new Error('gone')) : Promise.resolve(`bytes of ${hash}`);
  });
  return { known, asked };
}

it('TipNotification has no block before the second notification, since the first may be old', () => {
  const { known, asked } = announced();
  known.hear(block(1), 0);
  expect([known.takeHead(0), known.takeRaw('hash 1'), asked]).toEqual([null, null, []]);
});

it('TipNotification fetches a block at once and returns its hash and bytes once each', async () => {
  const { known, asked } = announced();
  known.hear(block(1), 0);
  known.hear(block(2), 10);
  expect(asked).toEqual(['hash 2']);
  expect(known.takeRaw('hash 1')).toBeNull();
  await expect(known.takeRaw('hash 2')).resolves.toBe('bytes of hash 2');
  expect(known.takeRaw('hash 2')).toBeNull();
  expect([known.takeHead(10), known.takeHead(10)]).toEqual([block(2), null]);
});

it('TipNotification ignores a notification of the previous block, after a timeout', () => {
  const { known, asked } = announced();
  for (const at of [0, 10, 20]) known.hear(block(1), at);
  expect([known.takeHead(20), asked]).toEqual([null, []]);
});

it.each([
  [1_000, block(2)],
  [1_001, null],
])('TipNotification returns the block for at most a second: %i ms', (later, expected) => {
  const { known } = announced();
  known.hear(block(1), 0);
  known.hear(block(2), 500);
  expect(known.takeHead(500 + later)).toEqual(expected);
});

it('TipNotification replaces the block by a newer one and passes on a failed fetch', async () => {
  const { known } = announced();
  for (const height of [11, 12, 13]) known.hear(block(height), height);
  expect(known.takeRaw('hash 12')).toBeNull();
  expect(known.takeHead(13)).toEqual(block(13));
  await expect(known.takeRaw('hash 13')).rejects.toThrow('gone');
});
