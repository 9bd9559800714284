import { inFours } from './page-elements.js';

it('inFours keeps every character', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  expect(inFours(address)).toHaveLength(11);
  expect(inFours(address).join('')).toBe(address);
  expect(inFours('')).toEqual([]);
});
