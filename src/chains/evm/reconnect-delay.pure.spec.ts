import { reconnectDelayMs } from './reconnect-delay.pure.js';

const ALMOST_ONE = 1 - 2 ** -20;

describe('the pause before a WebSocket is opened again', () => {
  it.each<[failures: number, retryAfterMs: number | null, least: number, most: number]>([
    [0, null, 5_000, 10_000],
    [1, null, 10_000, 20_000],
    [3, null, 40_000, 80_000],
    [6, null, 300_000, 600_000],
    [1_000, null, 300_000, 600_000],
    [0, 0, 5_000, 10_000],
    [0, 3_000, 5_000, 10_000],
    [0, 30_000, 30_000, 35_000],
    [6, 30_000, 300_000, 600_000],
    [0, 86_400_000, 600_000, 605_000],
  ])('after %i failures, when the node asks for %j ms, is %i to %i ms', (failures, asked, least, most) => {
    expect(reconnectDelayMs(failures, asked, 0)).toBe(least);
    expect(Math.round(reconnectDelayMs(failures, asked, ALMOST_ONE))).toBe(most);
  });
});
