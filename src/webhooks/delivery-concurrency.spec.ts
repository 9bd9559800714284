import { DeliveryConcurrency } from './delivery-concurrency.js';

const BOUNDS = { total: 6, perOwner: 4, perEndpoint: 3, failuresToProbe: 2 };
const share = (applicationId: string, userId = `owner of ${applicationId}`) => ({ applicationId, userId });
let load: DeliveryConcurrency;

beforeEach(() => {
  load = new DeliveryConcurrency(BOUNDS);
});

function begin(times: number, applicationId: string, userId?: string): void {
  for (let i = 0; i < times; i++) load.begin(share(applicationId, userId));
}

function fail(times: number, applicationId: string): void {
  for (let i = 0; i < times; i++) load.judge(applicationId, false);
}

/** Capacity by id. */
function roomOf({ ids, rooms }: { ids: string[]; rooms: number[] }): Record<string, number | undefined> {
  return Object.fromEntries(ids.map((id, i) => [id, rooms[i]]));
}

it('knows nobody at first: all have their whole bound', () => {
  expect(load.free).toBe(6);
  expect([load.capacityOfEndpoints(), load.capacityOfOwners()]).toEqual([
    { ids: [], rooms: [] },
    { ids: [], rooms: [] },
  ]);
});

it('counts what is under way by process, endpoint and owner, and forgets what has ended', () => {
  begin(2, 'a', 'u');
  begin(1, 'b', 'u');
  expect(load.free).toBe(3);
  expect(roomOf(load.capacityOfEndpoints())).toEqual({ a: 1, b: 2 });
  expect(roomOf(load.capacityOfOwners())).toEqual({ u: 1 });
  expect([load.isBusy('a'), load.isBusy('c')]).toEqual([true, false]);

  load.end(share('b', 'u'));
  expect(load.isBusy('b')).toBe(false);
  expect(roomOf(load.capacityOfEndpoints())).toEqual({ a: 1 });
  load.end(share('a', 'u'));
  load.end(share('a', 'u'));
  expect([load.free, load.capacityOfEndpoints().ids, load.capacityOfOwners().ids]).toEqual([6, [], []]);
});

it('never has less than no room', () => {
  begin(7, 'a');
  expect(load.free).toBe(0);
  expect(roomOf(load.capacityOfEndpoints())).toEqual({ a: 0 });
  expect(roomOf(load.capacityOfOwners())).toEqual({ 'owner of a': 0 });
});

describe('an endpoint that only fails', () => {
  it('keeps its bound until it has failed often enough in a row', () => {
    fail(1, 'a');
    expect(load.capacityOfEndpoints().ids).toEqual([]);
    load.judge('a', true);
    fail(1, 'a');
    expect(load.capacityOfEndpoints().ids).toEqual([]);
  });

  it('gets one try at a time then', () => {
    fail(2, 'a');
    expect(roomOf(load.capacityOfEndpoints())).toEqual({ a: 1 });
    begin(1, 'a');
    expect(roomOf(load.capacityOfEndpoints())).toEqual({ a: 0 });
    load.end(share('a'));
    fail(1, 'a');
    expect(roomOf(load.capacityOfEndpoints())).toEqual({ a: 1 });
  });

  it('gets its bound back with the first success', () => {
    fail(9, 'a');
    begin(1, 'a');
    load.judge('a', true);
    expect(roomOf(load.capacityOfEndpoints())).toEqual({ a: 2 });
  });

  it('takes no room from others, and no more than before from itself while earlier tries still run', () => {
    begin(3, 'a');
    fail(2, 'a');
    expect(roomOf(load.capacityOfEndpoints())).toEqual({ a: 0 });
    begin(1, 'b');
    expect(roomOf(load.capacityOfEndpoints())).toEqual({ a: 0, b: 2 });
  });
});
