import { type DynamicModule, forwardRef, Module } from '@nestjs/common';
import { controllersOf } from './controllers-of.js';

class A {}
class B {}
class C {}
class D {}

@Module({ controllers: [A] })
class Leaf {}

@Module({ imports: [Leaf], controllers: [B] })
class Branch {}

@Module({ imports: [Branch, Leaf, forwardRef(() => Later)] })
class Root {}

@Module({ imports: [forwardRef(() => Root)], controllers: [C] })
class Later {}

@Module({})
class Dynamic {
  static register(): DynamicModule {
    return { module: Dynamic, imports: [Leaf], controllers: [D] };
  }
}

@Module({})
class Empty {}

describe('controllersOf', () => {
  it.each<[string, Parameters<typeof controllersOf>[0], unknown[]]>([
    ['no module', [], []],
    ['a module without controllers', [Empty], []],
    ['a module and what it imports', [Branch], [B, A]],
    ['a module that two others import, once', [Branch, Leaf], [B, A]],
    ['modules that import each other', [Root], [B, A, C]],
    ['a dynamic module with its own imports', [Dynamic.register()], [D, A]],
  ])('finds the controllers of %s', (_name, modules, found) => expect(controllersOf(modules)).toEqual(found));
});
