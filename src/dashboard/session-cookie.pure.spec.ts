import { cookieName, foreignSender, readSessionCookie, sessionCookie } from './session-cookie.pure.js';

const TOKEN = 'a'.repeat(43);

describe('readSessionCookie', () => {
  it.each([
    ['no cookie', undefined, null],
    ['an empty header', '', null],
    ['only other cookies', 'a=b; dashboard_sessions=c', null],
    ['the token alone', `dashboard_session=${TOKEN}`, TOKEN],
    ['the token among others', `a=b; dashboard_session=${TOKEN};c=d`, TOKEN],
    ['an empty value', 'dashboard_session=', null],
    ['a value that is too short', `dashboard_session=${TOKEN.slice(1)}`, null],
    ['a value with other characters', `dashboard_session=${TOKEN.slice(1)}"`, null],
    ['a second one after a bad one', `dashboard_session=x; dashboard_session=${TOKEN}`, null],
    ['the name of TLS without TLS', `__Host-dashboard_session=${TOKEN}`, null],
  ])('with %s', (_title, header, token) => {
    expect(readSessionCookie(header, false)).toBe(token);
  });

  it('reads the prefixed name with TLS', () => {
    expect(readSessionCookie(`__Host-dashboard_session=${TOKEN}`, true)).toBe(TOKEN);
    expect(readSessionCookie(`dashboard_session=${TOKEN}`, true)).toBeNull();
  });
});

describe('sessionCookie', () => {
  it('is out of the reach of scripts, of other sites and of other hosts of the domain', () => {
    expect(sessionCookie(TOKEN, true)).toBe(
      `__Host-dashboard_session=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Secure`,
    );
  });

  it('has no Secure flag without TLS, where browsers would drop it', () => {
    expect(sessionCookie(TOKEN, false)).not.toContain('Secure');
    expect(cookieName(false)).toBe('dashboard_session');
  });

  it('ends at once when it is removed', () => {
    expect(sessionCookie(null, false)).toBe(
      'dashboard_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    );
  });
});

describe('foreignSender', () => {
  const own = { origin: 'https://pay.example.com', requestedWith: 'dashboard' };
  it.each([
    ['the dashboard', own, null],
    ['no header', { ...own, requestedWith: undefined }, 'send X-Requested-With: dashboard'],
    ['the header of a library', { ...own, requestedWith: 'XMLHttpRequest' }, /X-Requested-With/],
    ['no origin', { ...own, origin: undefined }, /send the Origin/],
    ['an opaque origin', { ...own, origin: 'null' }, /is not that of this gateway/],
    ['another origin', { ...own, origin: 'https://evil.example' }, /is not that of this gateway/],
    ['the origin without TLS', { ...own, origin: 'http://pay.example.com' }, /is not that/],
    ['another port', { ...own, origin: 'https://pay.example.com:8443' }, /is not that/],
  ])('with %s', (_title, sender, reason) => {
    const found = foreignSender(sender, 'https://pay.example.com/gateway');
    if (reason === null) expect(found).toBeNull();
    else expect(found).toMatch(reason);
  });
});
