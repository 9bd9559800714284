import { ACTIVE_MS, FairQueue, SHARE } from './fair-queue.pure.js';

describe('FairQueue', () => {
  let queue: FairQueue;
  let started: string[];
  beforeEach(() => {
    queue = new FairQueue();
    started = [];
  });
  const add = (tenant: string, name: string, now = 0) => {
    const start = () => void started.push(name);
    queue.add(tenant, now, start);
    return start;
  };
  const addMany = (tenant: string, count: number, now = 0) => {
    for (let i = 1; i <= count; i++) add(tenant, `${tenant}${i}`, now);
  };

  it('starts everything of a tenant that is alone', () => {
    addMany('a', 10);
    expect(started).toHaveLength(10);
    expect(queue.waitingCount).toBe(0);
  });

  it('starts the share of a tenant while another one is active, and the rest in the order of arrival', () => {
    add('b', 'b1');
    addMany('a', SHARE + 2);
    expect(started).toEqual(['b1', 'a1', 'a2']);
    expect(queue.waitingCount).toBe(2);
    queue.finish('a', 1);
    expect(started).toEqual(['b1', 'a1', 'a2', 'a3']);
    queue.finish('a', 2);
    expect(started).toEqual(['b1', 'a1', 'a2', 'a3', 'a4']);
    expect(queue.waitingCount).toBe(0);
  });

  it('starts another tenant at once while one waits', () => {
    add('b', 'b1');
    addMany('a', 40);
    add('c', 'c1');
    add('b', 'b2');
    expect(started).toEqual(['b1', 'a1', 'a2', 'c1', 'b2']);
  });

  it('starts nothing of a tenant that was alone until fewer than its share run', () => {
    addMany('a', 5);
    add('b', 'b1');
    add('a', 'late');
    for (let i = 0; i < 3; i++) queue.finish('a', 1);
    expect(started).not.toContain('late');
    queue.finish('a', 1);
    expect(started).toContain('late');
  });

  it('starts all that wait once the others are no longer active', () => {
    add('b', 'b1');
    addMany('a', 10, 1);
    queue.finish('a', ACTIVE_MS - 1);
    expect(started).toHaveLength(4);
    queue.finish('a', ACTIVE_MS);
    expect(started).toHaveLength(11);
  });

  it('counts a tenant as active from its latest request', () => {
    add('b', 'b1');
    add('b', 'b2', ACTIVE_MS - 1);
    addMany('a', 5, ACTIVE_MS);
    expect(started).toEqual(['b1', 'b2', 'a1', 'a2']);
  });

  it('does not start what was removed', () => {
    add('b', 'b1');
    addMany('a', SHARE);
    const gone = add('a', 'gone');
    add('a', 'next');
    expect(queue.remove('a', gone)).toBe(true);
    queue.finish('a', 1);
    expect(started).toEqual(['b1', 'a1', 'a2', 'next']);
  });

  it('removes nothing twice, and nothing that has started', () => {
    const begun = add('a', 'a1');
    expect(queue.remove('a', begun)).toBe(false);
    expect(queue.remove('nobody', begun)).toBe(false);
  });

  it('refuses to finish what was never started', () => {
    expect(() => queue.finish('a', 0)).toThrow('more requests finished than were started');
    add('a', 'a1');
    queue.finish('a', 0);
    expect(() => queue.finish('a', 0)).toThrow('more requests finished than were started');
  });
});
