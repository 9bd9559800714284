import { Contract } from './contract.js';
import { Text } from './fields.js';
import {
  cursorPage,
  data,
  htmlPage,
  listOrPage,
  nothing,
  Operation,
  OPERATION,
  page,
  PATH_PARAMETERS,
  PathParameters,
  plain,
  redirect,
  type ResponseBody,
  unwrapped,
  uuidParameter,
} from './operation.js';
import { UUID } from '../../kernel/ids.pure.js';

@Contract('Thing', 'A thing.')
class ThingContract {
  @Text({ about: 'Its name.', example: 'wheel' })
  name: string;
}

describe('the body of a response', () => {
  it.each<[string, ResponseBody, ResponseBody]>([
    ['one object', data(ThingContract, 'It.'), { form: 'data', item: ThingContract, about: 'It.' }],
    [
      'a whole list',
      data([ThingContract], 'All.'),
      { form: 'data', item: ThingContract, isList: true, about: 'All.' },
    ],
    [
      'one object with an example of its own',
      data(ThingContract, 'It.', { example: { name: 'axle' } }),
      { form: 'data', item: ThingContract, about: 'It.', example: { name: 'axle' } },
    ],
    ['a page', page(ThingContract, 'A page.'), { form: 'page', item: ThingContract, about: 'A page.' }],
    [
      'a list or a page',
      listOrPage(ThingContract, 'All.'),
      { form: 'list-or-page', item: ThingContract, about: 'All.' },
    ],
    [
      'a piece of a list',
      cursorPage(ThingContract, 'Some.'),
      { form: 'cursor-page', item: ThingContract, about: 'Some.' },
    ],
    [
      'JSON without data',
      unwrapped(ThingContract, 'It.'),
      { form: 'unwrapped', item: ThingContract, about: 'It.' },
    ],
    ['no body', nothing('Done.'), { form: 'none', about: 'Done.' }],
    ['a redirect', redirect('There.'), { form: 'redirect', about: 'There.' }],
    ['an HTML page', htmlPage('The page.'), plain({ 'text/html': { type: 'string' } }, 'The page.')],
  ])('%s', (_name, body, expected) => expect(body).toEqual(expected));
});

describe('the decorators of a route', () => {
  const parameter = uuidParameter('The thing.', '550e8400-e29b-41d4-a716-446655440000', 'ThingId');

  @PathParameters({ id: parameter })
  class Things {
    @Operation({ id: 'getThing', tag: 'Things', summary: 'Get a thing', returns: nothing('Done.') })
    get(): void {}
  }

  it('keep what they were given, for the reader of the document', () => {
    expect(Reflect.getMetadata(OPERATION, Things.prototype.get)).toMatchObject({ id: 'getThing' });
    expect(Reflect.getMetadata(PATH_PARAMETERS, Things)).toEqual({ id: parameter });
  });

  it('describe a UUID, with the name of its component where there is one', () => {
    const schema = { type: 'string', format: 'uuid', pattern: UUID.source };
    const plainParameter = { about: 'The thing.', example: 'x', schema };
    expect(uuidParameter('The thing.', 'x')).toEqual(plainParameter);
    expect(uuidParameter('The thing.', 'x', 'ThingId')).toEqual({ ...plainParameter, component: 'ThingId' });
  });
});
