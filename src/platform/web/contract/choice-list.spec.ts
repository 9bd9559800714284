import { readChoiceList } from './choice-list.js';

const CHOICES = ['OPEN', 'FOUND'];
const OTHER_NAMES = { NEW: ['OPEN'] };

describe('readChoiceList', () => {
  it.each([
    ['OPEN', ['OPEN']],
    ['OPEN,FOUND', ['OPEN', 'FOUND']],
  ])('reads %s', (text, names) => {
    expect(readChoiceList(text, CHOICES)).toEqual({ value: names });
  });

  it.each([
    ['', 'The selected status is invalid.'],
    ['OPEN,', 'The selected status is invalid.'],
    ['OPEN, FOUND', 'Several are separated by commas, without spaces.'],
    ['open', 'Did you mean OPEN?'],
    ['new', 'Did you mean OPEN?'],
    [['OPEN'], 'The selected status is invalid.'],
    [undefined, 'The selected status is invalid.'],
  ])('refuses %j', (value, message) => {
    const reading = readChoiceList(value, CHOICES, OTHER_NAMES);
    if (!('problems' in reading)) throw new Error('it was read');
    expect(reading.problems.map((problem) => problem.message('status')).join(' ')).toContain(message);
  });
});
