import { endpointWords } from './endpoint-words.pure.js';

describe('an endpoint', () => {
  const works = {
    callbackUrl: 'https://shop.example/hook',
    paused: false,
    consecutiveFailures: 0,
    lastSuccessAt: '2026-01-02T03:04:05Z',
  };
  it.each([
    [{}, ['good', 'webhooks.working']],
    [{ lastSuccessAt: null }, ['idle', 'webhooks.untried']],
    [{ lastSuccessAt: null, consecutiveFailures: 1 }, ['bad', 'webhooks.failing']],
    [{ consecutiveFailures: 3 }, ['bad', 'webhooks.failing']],
    [{ paused: true, consecutiveFailures: 3 }, ['warn', 'webhooks.paused']],
    [{ callbackUrl: null, lastSuccessAt: null }, ['idle', 'webhooks.unset']],
    [{ callbackUrl: null }, ['idle', 'webhooks.unset']],
  ] as const)('%j is %j', (changes, words) => {
    expect(endpointWords({ ...works, ...changes })).toEqual(words);
  });
});
