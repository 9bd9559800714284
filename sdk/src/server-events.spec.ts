import { ServerEventParser } from './server-events.js';

describe('ServerEventParser', () => {
  it.each([
    ['an event', 'id: 1\ndata: a\n\n', [{ id: '1', data: 'a' }]],
    [
      'events without an id',
      'data: a\n\ndata: b\n\n',
      [
        { id: null, data: 'a' },
        { id: null, data: 'b' },
      ],
    ],
    ['an id alone, which moves the cursor', 'id: 7\n\n', [{ id: '7', data: '' }]],
    ['data of several lines', 'data: a\ndata: b\n\n', [{ id: null, data: 'a\nb' }]],
    ['a value without a space', 'data:a\n\n', [{ id: null, data: 'a' }]],
    ['comments and the time to reconnect, which are none', 'retry: 2000\n\n:\n\n', []],
    ['the beginning of an event, which is none yet', 'id: 1\ndata: a\n', []],
  ])('reads %s', (_what, text, events) => {
    expect(new ServerEventParser().push(text)).toEqual(events);
    const parser = new ServerEventParser();
    expect(text.split('').flatMap((character) => parser.push(character))).toEqual(events);
  });
});
