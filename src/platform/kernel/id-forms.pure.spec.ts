import { idForm, uuidMessage } from './id-forms.pure.js';

const SUCH_AS = 'The siteId field must be a valid UUID, such as 550e8400-e29b-41d4-a716-446655440000.';

describe('idForm', () => {
  it.each<[string, string | null]>([
    ['550e8400-e29b-41d4-a716-446655440000', 'a UUID'],
    [' 550E8400-E29B-41D4-A716-446655440000', 'a UUID'],
    ['k3v9x1q8z7w6p5m4n3b2c1a0s9d8f7g6', 'the clientId of a payment application'],
    [
      `pct_${'a'.repeat(40)}`,
      'a client token, which is a secret and belongs only into the Authorization header',
    ],
    ['whsec_c2VjcmV0', 'a webhook secret, which must never be sent here'],
    [`xpub${'6'.repeat(30)}`, 'an extended key'],
    ['demo-server', null],
    ['', null],
  ])('%p: %p', (text, form) => expect(idForm(text)).toBe(form));
});

describe('uuidMessage', () => {
  it.each<[unknown, string]>([
    ['x', SUCH_AS],
    ['550e8400e29b41d4a716446655440000', 'The siteId field must be a valid UUID, with its hyphens.'],
    [5, SUCH_AS],
    [
      ' 550e8400-e29b-41d4-a716-446655440000',
      'The siteId field must be a valid UUID, without spaces around it.',
    ],
    ['k3v9x1q8z7w6p5m4n3b2c1a0s9d8f7g6', `${SUCH_AS} This looks like the clientId of a payment application.`],
  ])('%p', (sent, message) => expect(uuidMessage('siteId', sent)).toBe(message));

  it('never repeats a secret that was sent as an id', () =>
    expect(uuidMessage('siteId', 'pct_secret')).not.toContain('pct_'));
});
