import { newClientId } from './client-id.pure.js';

describe('newClientId', () => {
  const ids = Array.from({ length: 1_000 }, newClientId);

  it('returns 32 characters of a-z and 0-9, each time others', () => {
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]{32}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('uses each of the 36 characters at each of the 32 places', () => {
    // The chance that one of them is missing by accident is less than 1 in a thousand million.
    for (let place = 0; place < 32; place += 1)
      expect(new Set(ids.map((id) => id.charAt(place))).size).toBe(36);
  });
});
