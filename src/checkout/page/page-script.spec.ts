import { Script } from 'node:vm';
import { SCRIPT } from './page-script.js';

it('the script is small, whole, and cannot end its element early', () => {
  expect(Buffer.byteLength(SCRIPT)).toBeLessThan(8 * 1024);
  expect(() => new Script(SCRIPT)).not.toThrow();
  expect(SCRIPT).not.toMatch(/<\/script|<!--|innerHTML|eval|https?:/);
});
