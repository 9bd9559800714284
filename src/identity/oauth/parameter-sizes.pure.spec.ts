import { OAUTH_SCOPES } from '../../platform/kernel/oauth-scopes.pure.js';
import { oversizedParameter } from './parameter-sizes.pure.js';

const of = (name: string, length: number) =>
  oversizedParameter(new URLSearchParams({ client_id: 'shop', [name]: 'x'.repeat(length) }));

describe('oversizedParameter', () => {
  it.each([
    ['state', 2_048],
    ['redirect_uri', 2_048],
    ['scope', 1_024],
    ['nonce', 512],
    ['login_hint', 320],
    ['client_id', 255],
    ['code_verifier', 128],
  ])('accepts %s of %i characters, and one more is too long', (name, most) => {
    expect(of(name, most)).toBeNull();
    expect(of(name, most + 1)).toBe(`${name} is longer than ${most} characters`);
  });

  it('does not repeat the name of an unknown parameter', () => {
    expect(of('"><script>', 8_192)).toBeNull();
    expect(of('"><script>', 8_193)).toBe('a parameter is longer than 8192 characters');
    expect(of('constructor', 8_193)).toBe('a parameter is longer than 8192 characters');
  });

  it('looks at each of several values', () => {
    const parameters = new URLSearchParams([
      ['state', 'a'],
      ['state', 'x'.repeat(2_049)],
    ]);
    expect(oversizedParameter(parameters)).toBe('state is longer than 2048 characters');
  });

  it.each([
    ['repeated', () => 'a'],
    ['different', (at: number) => `a${at}`],
  ])('accepts 64 %s parameters, and one more is too many', (_which, nameAt) => {
    const many = (count: number) =>
      new URLSearchParams(Array.from({ length: count }, (_, at): [string, string] => [nameAt(at), '']));
    expect(oversizedParameter(many(64))).toBeNull();
    expect(oversizedParameter(many(65))).toBe('there are more than 64 parameters');
  });

  it('leaves room for all scopes at once', () => {
    const scope = [...OAUTH_SCOPES, 'openid', 'email', 'profile', 'offline_access'].join(' ');
    expect(oversizedParameter(new URLSearchParams({ scope }))).toBeNull();
  });
});
