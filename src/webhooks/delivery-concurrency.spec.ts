import { type Capacity, DeliveryConcurrency } from './delivery-concurrency.js';

const LIMITS = { total: 6, perOwner: 4, perEndpoint: 3, failuresToHalfOpen: 2 };
const scope = (applicationId: string, userId = `owner of ${applicationId}`) => ({ applicationId, userId });
let concurrency: DeliveryConcurrency;

beforeEach(() => {
  concurrency = new DeliveryConcurrency(LIMITS);
});

function acquire(times: number, applicationId: string, userId?: string): void {
  for (let i = 0; i < times; i++) concurrency.acquire(scope(applicationId, userId));
}

function fail(times: number, applicationId: string): void {
  for (let i = 0; i < times; i++) concurrency.recordOutcome(applicationId, false);
}

/** Free slots by id. */
function slotsOf({ ids, slots }: Capacity): Record<string, number | undefined> {
  return Object.fromEntries(ids.map((id, i) => [id, slots[i]]));
}

describe('DeliveryConcurrency', () => {
  it('lists no reduced capacity before the first attempt', () => {
    expect(concurrency.freeSlots).toBe(6);
    expect([concurrency.capacityOfEndpoints(), concurrency.capacityOfOwners()]).toEqual([
      { ids: [], slots: [] },
      { ids: [], slots: [] },
    ]);
  });

  it('counts attempts in flight per process, endpoint and owner until they are released', () => {
    acquire(2, 'a', 'u');
    acquire(1, 'b', 'u');
    expect(concurrency.freeSlots).toBe(3);
    expect(slotsOf(concurrency.capacityOfEndpoints())).toEqual({ a: 1, b: 2 });
    expect(slotsOf(concurrency.capacityOfOwners())).toEqual({ u: 1 });
    expect([concurrency.isBusy('a'), concurrency.isBusy('c')]).toEqual([true, false]);

    concurrency.release(scope('b', 'u'));
    expect(concurrency.isBusy('b')).toBe(false);
    expect(slotsOf(concurrency.capacityOfEndpoints())).toEqual({ a: 1 });
    concurrency.release(scope('a', 'u'));
    concurrency.release(scope('a', 'u'));
    expect([
      concurrency.freeSlots,
      concurrency.capacityOfEndpoints().ids,
      concurrency.capacityOfOwners().ids,
    ]).toEqual([6, [], []]);
  });

  it('never reports negative capacity when more than the limit is in flight', () => {
    acquire(7, 'a');
    expect(concurrency.freeSlots).toBe(0);
    expect(slotsOf(concurrency.capacityOfEndpoints())).toEqual({ a: 0 });
    expect(slotsOf(concurrency.capacityOfOwners())).toEqual({ 'owner of a': 0 });
  });

  it('keeps the full limit of an endpoint below the number of consecutive failures', () => {
    fail(1, 'a');
    expect(concurrency.capacityOfEndpoints().ids).toEqual([]);
    concurrency.recordOutcome('a', true);
    fail(1, 'a');
    expect(concurrency.capacityOfEndpoints().ids).toEqual([]);
  });

  it('allows one attempt at a time to a half-open endpoint', () => {
    fail(2, 'a');
    expect(slotsOf(concurrency.capacityOfEndpoints())).toEqual({ a: 1 });
    acquire(1, 'a');
    expect(slotsOf(concurrency.capacityOfEndpoints())).toEqual({ a: 0 });
    concurrency.release(scope('a'));
    fail(1, 'a');
    expect(slotsOf(concurrency.capacityOfEndpoints())).toEqual({ a: 1 });
  });

  it('restores the full limit of a half-open endpoint after its first success', () => {
    fail(9, 'a');
    acquire(1, 'a');
    concurrency.recordOutcome('a', true);
    expect(slotsOf(concurrency.capacityOfEndpoints())).toEqual({ a: 2 });
  });

  it('leaves no slot to an endpoint that becomes half-open with attempts in flight, and all to others', () => {
    acquire(3, 'a');
    fail(2, 'a');
    expect(slotsOf(concurrency.capacityOfEndpoints())).toEqual({ a: 0 });
    acquire(1, 'b');
    expect(slotsOf(concurrency.capacityOfEndpoints())).toEqual({ a: 0, b: 2 });
  });
});
