import { mailFailureText } from './mail-failure.pure.js';

it.each([
  [{ code: 'EAUTH', cause: null, reply: 535 }, 'user or password refused (EAUTH 535)'],
  [{ code: 'ETLS', cause: null, reply: 502 }, 'no STARTTLS (ETLS 502)'],
  [
    { code: 'ESOCKET', cause: 'DEPTH_ZERO_SELF_SIGNED_CERT', reply: null },
    'certificate of an unknown authority',
  ],
  [
    { code: 'ESOCKET', cause: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', reply: null },
    'certificate of an unknown authority',
  ],
  [{ code: 'ESOCKET', cause: 'ERR_TLS_CERT_ALTNAME_INVALID', reply: null }, 'certificate of another name'],
  [{ code: 'ESOCKET', cause: 'CERT_HAS_EXPIRED', reply: null }, 'certificate has expired'],
  [{ code: 'ESOCKET', cause: 'ERR_SSL_WRONG_VERSION_NUMBER', reply: null }, 'no TLS at this port'],
  [{ code: 'ESOCKET', cause: 'ECONNREFUSED', reply: null }, 'ESOCKET'],
  [{ code: 'EENVELOPE', cause: null, reply: 550 }, 'EENVELOPE 550'],
  [{ code: null, cause: null, reply: null }, 'failed'],
  [{ code: 'E'.repeat(60), cause: null, reply: 421 }, 'E'.repeat(40)],
])('says of %o: %s', (failure, text) => expect(mailFailureText(failure)).toBe(text));
