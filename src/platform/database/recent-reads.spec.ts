import { RecentRead } from './recent-reads.js';

describe('RecentRead', () => {
  let nowMs = 0;
  let stored: string | null = 'a';
  let reads = 0;
  let recent: RecentRead<string>;
  const read = async () => {
    reads++;
    return stored;
  };
  const get = (key = 'k') => recent.get(key, read);

  beforeEach(() => {
    [nowMs, stored, reads] = [0, 'a', 0];
    recent = new RecentRead<string>(1_000, () => nowMs);
  });

  it('reads once for callers of the same time, and for those of the next second', async () => {
    expect(await Promise.all([get(), get()])).toEqual(['a', 'a']);
    nowMs = 999;
    expect(await get()).toBe('a');
    expect(reads).toBe(1);
  });

  it('follows a change a second after the read was sent', async () => {
    await get();
    stored = 'b';
    nowMs = 1_000;
    expect(await get()).toBe('b');
  });

  it('keeps keys apart', async () => {
    await get('k');
    stored = 'b';
    expect(await get('l')).toBe('b');
    expect(await get('k')).toBe('a');
  });

  it('follows at once when it is cleared, also while a read is under way', async () => {
    const before = get();
    recent.clear();
    stored = 'b';
    expect([await before, await get()]).toEqual(['a', 'b']);
  });

  it('does not remember that there was nothing, nor a failure', async () => {
    stored = null;
    expect(await get()).toBeNull();
    await expect(recent.get('f', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    stored = 'b';
    expect([await get(), await get('f')]).toEqual(['b', 'b']);
  });

  it('keeps nothing when it is switched off', async () => {
    recent = new RecentRead<string>(0, () => nowMs);
    await get();
    stored = 'b';
    expect(await get()).toBe('b');
  });
});
