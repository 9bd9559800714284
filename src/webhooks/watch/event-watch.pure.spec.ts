import { isOpen, wrongsOf } from './event-watch.pure.js';
import type { WatchedProgress } from './event-watch.repository.js';

const SENT: WatchedProgress = {
  isDispatched: true,
  hasPlace: true,
  isSuperseded: false,
  isOvertaken: false,
  isWanted: true,
  deliveryState: 'succeeded',
  isAttempted: true,
  isAccepted: true,
  isMoved: false,
  isFollowed: false,
  deliveryId: 'd',
  isOfEvent: true,
  hasSucceeded: true,
  isPostponed: false,
};
const NONE = {
  deliveryId: null,
  deliveryState: null,
  isAttempted: false,
  isAccepted: false,
  hasSucceeded: false,
};
const OPEN = { deliveryState: 'pending', isAccepted: false, hasSucceeded: false };

it.each<[string, Partial<WatchedProgress>, boolean, string[]]>([
  ['sent', {}, true, []],
  ['not dispatched yet', { ...NONE, isDispatched: false, hasPlace: false }, true, []],
  ['without an endpoint', { ...NONE, isWanted: false }, true, []],
  ['tried', OPEN, true, []],
  ['sent again after it had succeeded', { deliveryState: 'pending' }, true, []],
  ['overtaken', { ...NONE, isOvertaken: true, isFollowed: true }, true, []],
  ['taken back', { ...NONE, isSuperseded: true, isMoved: true, isFollowed: true, hasPlace: false }, true, []],
  ['with another body', {}, false, ['payment_events: as the gateway wrote it']],
  [
    'delivered as another one',
    { isOfEvent: false },
    true,
    ['webhook_deliveries: a delivery of the event as it is'],
  ],
  ['put off', { ...OPEN, isPostponed: true }, true, ['webhook_deliveries: an attempt soon']],
  ['not delivered', NONE, true, ['webhook_deliveries: a delivery']],
  ['accepted by nobody', { isAccepted: false }, true, ['webhook_deliveries: an attempt that got a 2xx']],
  [
    'open, and accepted by nobody',
    { ...OPEN, hasSucceeded: true },
    true,
    ['webhook_deliveries: an attempt that got a 2xx'],
  ],
  [
    'given up without an attempt',
    { ...OPEN, deliveryState: 'exhausted', isAttempted: false },
    true,
    ['webhook_deliveries: attempts'],
  ],
  [
    'skipped',
    { ...OPEN, deliveryState: 'skipped' },
    true,
    ['webhook_deliveries: a delivery to the endpoint'],
  ],
  [
    'overtaken by nothing',
    { ...NONE, isOvertaken: true },
    true,
    ['webhook_deliveries: a later event or move'],
  ],
])('of an event that is %s', (_name, progress, isAuthentic, wrongs) => {
  expect(
    wrongsOf({ ...SENT, ...progress }, isAuthentic).map(({ table, expected }) => `${table}: ${expected}`),
  ).toEqual(wrongs);
});

it.each<[Partial<WatchedProgress>, boolean]>([
  [{}, false],
  [{ deliveryState: 'exhausted' }, false],
  [{ deliveryState: 'pending' }, true],
  [{ deliveryState: 'blocked' }, true],
  [{ ...NONE, isDispatched: false }, true],
  [{ ...NONE }, false],
  [{ ...NONE, isDispatched: false, isOvertaken: true }, false],
])('%j is open: %p', (progress, open) => {
  expect(isOpen({ ...SENT, ...progress })).toBe(open);
});
