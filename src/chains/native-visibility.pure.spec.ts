import { hidesInternalTransfers, isNativeOffered } from './native-visibility.pure.js';

const endpoint = (native: string | null, state = 'ok') => ({
  state,
  capabilities: native === null ? null : { native },
});
const TRACED = endpoint('trace_block');
const DEBUG = endpoint('debug_traceBlockByHash');
const BLIND = endpoint('transactions');
const UNKNOWN = endpoint(null, 'unasked');

describe('internal transfers are', () => {
  it.each<[title: string, endpoints: ReturnType<typeof endpoint>[], isHidden: boolean]>([
    ['visible on a chain without a list of endpoints', [], false],
    ['visible by trace_block', [TRACED], false],
    ['visible by debug_traceBlockByHash', [DEBUG], false],
    ['visible by one of two endpoints', [BLIND, TRACED], false],
    ['visible by an endpoint that is resting', [BLIND, endpoint('trace_block', 'resting')], false],
    ['not yet known to be hidden before an endpoint was probed', [BLIND, UNKNOWN], false],
    ['hidden by the only endpoint', [BLIND], true],
    ['hidden by all endpoints, of which one is resting', [BLIND, endpoint('transactions', 'resting')], true],
    [
      'hidden when the endpoint with traces is of another chain',
      [BLIND, endpoint('trace_block', 'refused')],
      true,
    ],
    ['not known while every endpoint is refused', [endpoint('transactions', 'refused')], false],
  ])('%s', (_title, endpoints, isHidden) => {
    expect(hidesInternalTransfers(endpoints)).toBe(isHidden);
    expect(isNativeOffered({}, endpoints)).toBe(!isHidden);
    expect(isNativeOffered({ nativeOffer: 'traced' }, endpoints)).toBe(!isHidden);
    expect(isNativeOffered({ nativeOffer: 'always' }, endpoints)).toBe(true);
  });
});
