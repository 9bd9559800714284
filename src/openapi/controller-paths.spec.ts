import { Body, Controller, Get, HttpCode, Param, Post, Query, type Type } from '@nestjs/common';
import { Contract } from '../platform/web/contract/contract.js';
import { Count, QueryInteger, Text } from '../platform/web/contract/fields.js';
import {
  data,
  htmlPage,
  nothing,
  Operation,
  type OperationOptions,
  page,
  PathParameters,
  redirect,
  uuidParameter,
} from '../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import { Idempotent, IdempotentRequest } from '../platform/web/idempotency/idempotency.js';
import { Public, RequireScope } from '../platform/web/security/auth.js';
import { ContractSchemas } from './contract-schemas.js';
import { ControllerPaths } from './controller-paths.js';
import { createDocument } from './document.js';
import { SharedParameters } from './parameters.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';

@Contract('Thing', 'A thing.')
class ThingContract {
  @Text({ about: 'Its name.', example: 'wheel' })
  name: string;
}

@Contract('CreateThing', 'A new thing.')
class CreateThingContract {
  @Text({ min: 1, about: 'Its name.', example: 'wheel' })
  name: string;
}

class ThingsQuery {
  @QueryInteger({ min: 1, max: 9, optional: true, component: 'Size', about: 'Of this size only.' })
  size?: number;
}

class OtherQuery {
  @QueryInteger({ min: 1, max: 5, optional: true, component: 'Size', about: 'Another meaning.' })
  size?: number;
}

class UntitledContract {
  @Text({ about: 'Its name.', example: 'wheel' })
  name: string;
}

const operation = (more: Partial<OperationOptions> = {}): OperationOptions => ({
  id: 'getThing',
  tag: 'Health',
  summary: 'Get a thing',
  description: 'A thing.',
  returns: data(ThingContract, 'The thing.'),
  ...more,
});

@Controller('api/things')
@RequireScope('*')
@PathParameters({ id: uuidParameter('The thing.', ID, 'ThingId') })
class ThingsController {
  @Get()
  @Operation(operation({ id: 'listThings', returns: page(ThingContract, 'Things.') }))
  list(@Query() _query: ThingsQuery): void {}

  @Get([':id', 'by-id/:id'])
  @Operation(operation({ errors: ['payment_not_found'] }))
  get(@Param('id') _id: string): void {}

  @Post()
  @Operation(operation({ id: 'createThing' }))
  create(
    @Idempotent() _request: IdempotentRequest,
    @DraftBody(CreateThingContract) _draft: Draft<CreateThingContract>,
  ): void {}

  @Post(':id/close')
  @HttpCode(204)
  @Operation(operation({ id: 'closeThing', returns: nothing('Closed.') }))
  close(@Param('id') _id: string): void {}
}

class PageForm {
  @Text({ about: 'Your answer.', example: 'yes' })
  answer: string;
}

@Controller()
@Public()
class PagesController {
  @Post('page')
  @HttpCode(200)
  @Operation(
    operation({
      id: 'submitPage',
      form: PageForm,
      returns: htmlPage('The page.'),
      alsoReturns: { 303: redirect('Back.') },
      hasErrorPages: true,
      isInternal: true,
    }),
  )
  submit(): void {}
}

function read(...controllers: Type<object>[]) {
  const schemas = new ContractSchemas();
  const parameters = new SharedParameters();
  const read = new ControllerPaths(schemas, parameters);
  for (const controller of controllers) read.add(controller);
  return { paths: read.paths, schemas: schemas.components, parameters: parameters.components };
}

/** Of every route that acts in an account. */
const ACCOUNT = { $ref: '#/components/parameters/AccountHeader' };

describe('the paths of a controller', () => {
  const { paths, schemas, parameters } = read(ThingsController, PagesController);

  it('are those of its routes, other spellings beside the first', () => {
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/api/things', ['get', 'post']],
      ['/api/things/{id}', ['get']],
      ['/api/things/{id}/close', ['post']],
      ['/page', ['post']],
    ]);
    expect(paths['/api/things/{id}']?.get?.['x-also-served-at']).toEqual(['/api/things/by-id/{id}']);
  });

  it('have their parameters by reference where they have a component name', () => {
    expect(paths['/api/things']?.get?.parameters).toEqual([
      { $ref: '#/components/parameters/Size' },
      ACCOUNT,
    ]);
    expect(paths['/api/things/{id}']?.get?.parameters).toEqual([
      { $ref: '#/components/parameters/ThingId' },
      ACCOUNT,
    ]);
    expect(parameters['ThingId']).toMatchObject({ name: 'id', in: 'path', required: true, example: ID });
  });

  it('have the class of a draft as their body, and a key where they are idempotent', () => {
    const post = paths['/api/things']?.post;
    expect(post?.requestBody?.content).toEqual({
      'application/json': {
        schema: { $ref: '#/components/schemas/CreateThing' },
        example: { name: 'wheel' },
      },
    });
    expect(post?.parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }, ACCOUNT]);
    expect(Object.keys(post?.responses ?? {})).toContain('201');
  });

  it('have the role that they take in an account, and none where they are public', () => {
    expect(paths['/api/things']?.post?.['x-least-role']).toBe('developer');
    expect(paths['/api/things/{id}']?.get?.['x-least-role']).toBe('viewer');
  });

  it('have the status of the route, and errors that follow from its kind', () => {
    expect(paths['/api/things/{id}/close']?.post?.responses['204']).toMatchObject({ description: 'Closed.' });
    expect(paths['/api/things/{id}']?.get?.responses['404']).toEqual({
      $ref: '#/components/responses/NotFound_PaymentNotFound_AccountNotFound',
    });
    expect(paths['/api/things/{id}']?.get?.security).toEqual([
      { oauth2: ['*'] },
      { oauth2: ['payments:read'] },
      { clientToken: ['*'] },
    ]);
  });

  it('have the schemas of their contracts', () =>
    expect(Object.keys(schemas).sort()).toEqual([
      'CreateThing',
      'PageMeta',
      'Thing',
      'ThingData',
      'ThingPage',
    ]));

  it('describe a page with its form, its redirect and its error pages', () => {
    const post = paths['/page']?.post;
    expect(post?.['x-internal']).toBe(true);
    expect(post?.security).toEqual([]);
    expect(Object.keys(post?.requestBody?.content ?? {})).toEqual(['application/x-www-form-urlencoded']);
    expect(post?.responses['303']).toMatchObject({ headers: { Location: { required: true } } });
    expect(post?.responses['default']).toEqual({ $ref: '#/components/responses/PageError' });
  });
});

@Controller('api/bare')
@Public()
class WithoutOperation {
  @Get()
  get(): void {}
}

@Controller('api/open')
class WithoutAccess {
  @Get()
  @Operation(operation())
  get(): void {}
}

@Controller('api/things')
@Public()
class WithoutPathParameter {
  @Get(':id')
  @Operation(operation())
  get(): void {}
}

@Controller('api/things')
@Public()
class WithForeignPathParameter {
  @Get()
  @PathParameters({ id: { about: 'The thing.', example: ID } })
  @Operation(operation())
  get(): void {}
}

@Controller('api/things')
@Public()
class WithoutBodyClass {
  @Post()
  @Operation(operation())
  create(@Body() _body: { name: string }): void {}
}

@Controller('api/things')
@Public()
class WithUntitledBody {
  @Post()
  @Operation(operation())
  create(@Body() _body: UntitledContract): void {}
}

@Controller('api/things')
@Public()
class WithUntitledResponse {
  @Get()
  @Operation(operation({ returns: data(UntitledContract, 'It.') }))
  get(): void {}
}

@Controller('api/things')
@Public()
class Echo {
  @Post()
  @Operation(operation())
  echo(@Body() _body: ThingContract): void {}
}

@Controller('api/things')
@Public()
class SamePath {
  @Get()
  @Operation(operation({ id: 'listAgain' }))
  again(): void {}
}

@Contract('Thing', 'Another thing.')
class AnotherThingContract {
  @Count({ about: 'Its size.', example: 1 })
  size: number;
}

@Controller('api/others')
@Public()
class SameTitle {
  @Get()
  @Operation(operation({ id: 'getOther', returns: data(AnotherThingContract, 'It.') }))
  get(): void {}
}

@Controller('api/others')
@Public()
class SameComponent {
  @Get()
  @Operation(operation({ id: 'listOthers' }))
  list(@Query() _query: OtherQuery): void {}
}

@Controller('api/others')
@Public()
class SameId {
  @Get()
  @Operation(operation())
  get(): void {}
}

@Contract('Bare', 'Has a field without a decorator.')
class BareContract extends ThingContract {
  forgotten?: string;
}

@Controller('api/bare')
@Public()
class WithBareField {
  @Get()
  @Operation(operation({ id: 'getBare', returns: data(BareContract, 'It.') }))
  get(): void {}
}

describe('the reader refuses', () => {
  it.each<[string, Type<object>[], string]>([
    ['a route without @Operation', [WithoutOperation], 'WithoutOperation.get: the route has no @Operation'],
    [
      'a route without an access decorator',
      [WithoutAccess],
      'WithoutAccess.get: the route has no access decorator',
    ],
    [
      'a path parameter without a description',
      [WithoutPathParameter],
      'WithoutPathParameter.get: @PathParameters does not describe :id',
    ],
    [
      'a description of a parameter that the path lacks',
      [WithForeignPathParameter],
      'WithForeignPathParameter.get: @PathParameters describes :id, which /api/things lacks',
    ],
    [
      'a body without a class',
      [WithoutBodyClass],
      'WithoutBodyClass.create: parameter 1, the body, needs a contract class as its type',
    ],
    [
      'a body whose class has no title',
      [WithUntitledBody],
      'WithUntitledBody.create: UntitledContract has no @Contract',
    ],
    [
      'a response whose class has no title',
      [WithUntitledResponse],
      'WithUntitledResponse.get: UntitledContract has no @Contract',
    ],
    [
      'a field without a decorator',
      [WithBareField],
      'WithBareField.get: BareContract.forgotten has no field decorator',
    ],
    [
      'a class that is sent and returned',
      [Echo],
      'Echo.echo: ThingContract is used in requests and in responses',
    ],
    [
      'two handlers of one path',
      [ThingsController, SamePath],
      'SamePath.again: get /api/things has two handlers',
    ],
    [
      'two classes of one title',
      [ThingsController, SameTitle],
      'SameTitle.get: ThingContract and AnotherThingContract have the same title Thing',
    ],
    [
      'two parameters of one component name',
      [ThingsController, SameComponent],
      'SameComponent.list: two different parameters have the component name Size',
    ],
  ])('%s', (_name, controllers, message) => expect(() => read(...controllers)).toThrow(message));

  it('two operations of one id', () =>
    expect(() => createDocument([ThingsController, SameId], '1')).toThrow(
      'two operations have the id getThing',
    ));
});
