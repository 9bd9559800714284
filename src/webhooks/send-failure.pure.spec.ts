import { DeadlineError, describeFailure, TargetRefusedError } from './send-failure.pure.js';

const withCode = (code: string) =>
  Object.assign(new Error('connect to https://shop/?token=secret'), { code });

describe('describeFailure', () => {
  it.each([
    ['ECONNREFUSED', 'connection refused'],
    ['ECONNRESET', 'connection closed'],
    ['UND_ERR_SOCKET', 'connection closed'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
    ['ENOTFOUND', 'host name not found'],
    ['EAI_AGAIN', 'host name lookup failed'],
    ['HPE_INVALID_CONSTANT', 'malformed HTTP response'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS failed (SELF_SIGNED_CERT_IN_CHAIN)'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS failed (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
    ['CERT_HAS_EXPIRED', 'TLS failed (CERT_HAS_EXPIRED)'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS failed (ERR_SSL_WRONG_VERSION_NUMBER)'],
    ['EPROTO', 'TLS failed (EPROTO)'],
    ['EMFILE', 'EMFILE'],
    ['see https://shop/?token=secret', 'Error'],
    ['', 'Error'],
  ])('code "%s": %s', (code, expected) => {
    expect(describeFailure(withCode(code))).toBe(expected);
  });

  it.each([
    [
      'a refused target',
      new TargetRefusedError('the address is not public (loopback)'),
      'refused: the address is not public (loopback)',
    ],
    ['a deadline', new DeadlineError('no response within 5 ms'), 'no response within 5 ms'],
    ['another error', new TypeError('https://shop/?token=secret'), 'TypeError'],
    ['no error at all', 'https://shop/?token=secret', 'unknown error'],
    ['undefined', undefined, 'unknown error'],
  ])('%s', (_name, error, expected) => {
    expect(describeFailure(error)).toBe(expected);
  });
});
