import { strangerOf } from '../../kernel/tenant-counts.pure.js';
import {
  BACKLOG_MS,
  CAPACITY,
  FairQueue,
  MAX_CAPACITY,
  PRESENT_MS,
  SHARE,
  TURN_MS,
} from './fair-queue.pure.js';

describe('FairQueue', () => {
  let queue: FairQueue;
  let started: string[];
  let now: number;
  beforeEach(() => {
    now = 0;
    queue = new FairQueue();
    started = [];
  });
  const add = (tenant: string, name: string) => {
    const start = () => void started.push(name);
    if (queue.tryStart(tenant, now)) start();
    else queue.wait(tenant, start);
    return start;
  };
  const addMany = (tenant: string, count: number) => {
    for (let i = 1; i <= count; i++) add(tenant, `${tenant}${i}`);
  };
  /** What `work` starts. */
  const startedBy = (work: () => void): string[] => {
    const before = started.length;
    work();
    return started.slice(before);
  };
  const finish = (tenant: string) => startedBy(() => queue.finish(tenant, now));

  it('starts as many requests as it has capacity for, and the rest in the order of arrival', () => {
    addMany('a', CAPACITY + 2);
    expect(started).toHaveLength(CAPACITY);
    expect(queue.waitingCount).toBe(2);
    expect(finish('a')).toEqual([`a${CAPACITY + 1}`]);
    expect(finish('a')).toEqual([`a${CAPACITY + 2}`]);
    expect(finish('a')).toEqual([]);
    expect(queue.waitingCount).toBe(0);
  });

  it('starts the share of each other tenant at once, although many wait', () => {
    addMany('a', 40);
    expect(startedBy(() => addMany('b', SHARE + 1))).toEqual(['b1', 'b2']);
    expect(startedBy(() => addMany('c', SHARE + 1))).toEqual(['c1', 'c2']);
  });

  it('starts nothing more of a tenant who is not alone before fewer run than its share', () => {
    addMany('a', CAPACITY + 4);
    addMany('b', 1);
    for (let running = CAPACITY - 1; running >= SHARE; running--) expect(finish('a')).toEqual([]);
    expect(finish('a')).toEqual([`a${CAPACITY + 1}`]);
  });

  it.each([
    ['asks', 0, SHARE],
    ['asked a moment ago', PRESENT_MS - 1, SHARE],
    ['has not asked for a while', PRESENT_MS, CAPACITY],
  ])('runs as many as it has capacity for only unless somebody else %s', (_what, later, expected) => {
    addMany('b', 1);
    finish('b');
    now = later;
    expect(startedBy(() => addMany('a', CAPACITY))).toHaveLength(expected);
  });

  it('forgets nobody who asked, however many others do', () => {
    for (const tenant of ['b', 'c', 'd', 'a', 'd', 'a']) {
      add(tenant, tenant);
      finish(tenant);
    }
    expect(startedBy(() => addMany('a', CAPACITY))).toHaveLength(SHARE);
  });

  it('gives all strangers who prove nothing one share, and lets their addresses take turns', () => {
    add('user bob', 'bob');
    for (const name of ['1', '2', '3', '4']) add(strangerOf(null, '203.0.113.1'), name);
    for (const name of ['5', '6']) add(strangerOf(null, '203.0.113.2'), name);
    expect(started).toEqual(['bob', '1', '2']);
    const first = strangerOf(null, '203.0.113.1');
    expect([finish(first), finish(first)].flat()).toEqual(['3', '5']);
  });

  it('starts the next one of a tenant that runs fewer than its share, although more run than it has capacity for', () => {
    addMany('a', CAPACITY);
    addMany('b', SHARE + 1);
    expect(finish('b')).toEqual(['b3']);
  });

  it.each([
    [2 * CAPACITY, CAPACITY],
    [2 * CAPACITY + 2, CAPACITY],
    [2 * CAPACITY + 3, CAPACITY + 1],
    [2 * MAX_CAPACITY - 1, MAX_CAPACITY - 1],
    [2 * MAX_CAPACITY + 1, MAX_CAPACITY],
    [1_000, MAX_CAPACITY],
  ])(
    'runs half of those that are left: of %i requests, once the first has finished, %i',
    (count, running) => {
      addMany('a', count);
      expect(finish('a')).toHaveLength(running - CAPACITY + 1);
    },
  );

  it('runs fewer again when few are left', () => {
    addMany('a', 3 * MAX_CAPACITY);
    finish('a');
    const rest = Array.from({ length: 3 * MAX_CAPACITY - 1 }, () => finish('a').length);
    // 48 requests: one finished, sixteen run and 31 wait. The limit falls once 32 are left.
    expect(rest.indexOf(0)).toBe(15);
    expect(started).toHaveLength(3 * MAX_CAPACITY);
  });

  it('gives one payment one share, from however many addresses its pages are asked for', () => {
    for (let i = 0; i < 200; i++) add(`payment p & address ${i}`, `page ${i}`);
    // Who runs fewer than two never waits, and there is room for eight.
    expect(queue.waitingCount).toBe(200 - CAPACITY);
    add('user bob', 'of bob');
    expect(queue.waitingCount).toBe(200 - CAPACITY);
    for (let i = 0; i < 3; i++) add('user bob', `more of bob ${i}`);
    expect(finish('payment p & address 0')).toEqual([]);
    expect(finish('user bob')).toEqual(['more of bob 1']);
  });

  it('gives one address one share, however many payments it invents', () => {
    for (let i = 0; i < 200; i++) add(`payment ${i} & address a`, `page ${i}`);
    expect(queue.waitingCount).toBe(200 - SHARE);
    addMany('user bob', SHARE);
    expect(queue.waitingCount).toBe(200 - SHARE);
  });

  describe('beside a tenant of which requests have waited for a while', () => {
    /** Of ten requests of "flood" the second and third run, and eight wait since moment 0. */
    const flood = (at: number) => {
      add('victim', 'early');
      finish('victim');
      addMany('flood', 10);
      now = at;
      expect(finish('flood')).toEqual(['flood3']);
    };

    it('begins nothing more of it while a request of somebody else runs, and goes on afterwards', () => {
      flood(BACKLOG_MS - 1);
      now = BACKLOG_MS;
      add('victim', 'one');
      expect(finish('flood')).toEqual([]);
      expect(startedBy(() => add('flood', 'late'))).toEqual([]);
      expect(finish('victim')).toEqual(['flood4']);
      expect(finish('flood')).toEqual(['flood5']);
    });

    it('lets a burst take turns', () => {
      flood(BACKLOG_MS - 2);
      now = BACKLOG_MS - 1;
      add('victim', 'one');
      expect(finish('flood')).toEqual(['flood4']);
    });

    it('begins its next one when its turn has come, although others run all the time', () => {
      flood(BACKLOG_MS - 1);
      add('victim', 'one');
      now = BACKLOG_MS;
      expect(finish('flood')).toEqual([]);
      add('victim', 'two');
      now = BACKLOG_MS - 1 + TURN_MS - 1;
      expect(finish('victim')).toEqual([]);
      add('victim', 'three');
      now += 1;
      expect(finish('victim')).toEqual(['flood4']);
      expect(finish('victim')).toEqual([]);
    });

    it('yields to nobody else who asks for more than is done', () => {
      flood(0);
      addMany('other', 10);
      now = BACKLOG_MS;
      expect(finish('flood')).toEqual(['flood4']);
    });

    it('forgets that it did, once none waits', () => {
      flood(0);
      for (let left = 9; left > 0; left--) finish('flood');
      now = BACKLOG_MS;
      addMany('flood', SHARE + 1);
      add('victim', 'one');
      expect(finish('flood')).toEqual(['flood3']);
    });
  });

  it('starts no request that was removed', () => {
    addMany('a', CAPACITY);
    const gone = add('a', 'gone');
    add('a', 'next');
    queue.remove('a', gone);
    expect(finish('a')).toEqual(['next']);
    expect(finish('a')).toEqual([]);
  });

  it('removes nothing twice, and nothing that has started', () => {
    const begun = add('a', 'a1');
    queue.remove('a', begun);
    queue.remove('unknown', begun);
    expect(queue.waitingCount).toBe(0);
    expect(finish('a')).toEqual([]);
  });

  it('refuses to finish what was never started', () => {
    expect(() => queue.finish('a', now)).toThrow('more than it took');
    add('a', 'a1');
    queue.finish('a', now);
    expect(() => queue.finish('a', now)).toThrow('more than it took');
  });

  it('runs everything once, and leaves nothing waiting, whatever the order', () => {
    const running: string[] = [];
    const tenants = ['a', 'b', 'c', 'd', 'e'];
    let sent = 0;
    let random = 7;
    const below = (limit: number) => (random = (random * 48_271) % 2_147_483_647) % limit;
    const send = () => {
      const tenant = tenants[below(tenants.length)] ?? 'a';
      const start = () => void running.push(tenant);
      sent++;
      if (queue.tryStart(tenant, now++)) start();
      else queue.wait(tenant, start);
    };
    let finished = 0;
    for (let turn = 0; turn < 1_000 || running.length > 0; turn++) {
      for (let count = turn < 1_000 ? below(4) : 0; count > 0; count--) send();
      const [tenant] = running.splice(below(Math.max(running.length, 1)), 1);
      if (tenant === undefined) continue;
      queue.finish(tenant, now);
      finished++;
      if (queue.waitingCount > 0) expect(running.length).toBeGreaterThan(0);
    }
    expect(finished).toBe(sent);
    expect(queue.waitingCount).toBe(0);
  });
});
