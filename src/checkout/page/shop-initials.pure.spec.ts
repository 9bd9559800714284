import { initialsOf } from './shop-initials.pure.js';

describe('initialsOf', () => {
  it.each([
    ['Bean & Leaf', 'BL'],
    ['bluebird', 'B'],
    ['The Old Mill Bakery', 'TO'],
    ['7 Seas', '7S'],
    ['„Café“ Nord', 'CN'],
    ['東京 珈琲', '東珈'],
    ['متجر القهوة', 'ما'],
    ['\u{65}\u{301}cole', 'E\u{301}'],
    ['<script>', 'S'],
    ['… — !', ''],
    ['', ''],
  ])('%j is %j', (title, initials) => {
    expect(initialsOf(title)).toBe(initials);
  });
});
