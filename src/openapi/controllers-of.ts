import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';

type Import = Type<object> | DynamicModule | ForwardReference<() => Type<object>>;

/** The controllers of these modules and of those that they import, without starting the program. */
export function controllersOf(modules: readonly Import[], seen = new Set<unknown>()): Type<object>[] {
  return modules.flatMap((imported) => {
    const dynamic = 'module' in imported ? imported : null;
    const module = 'forwardRef' in imported ? imported.forwardRef() : (dynamic?.module ?? imported);
    if (seen.has(module)) return [];
    seen.add(module);
    const metadata = <T>(key: string) => (Reflect.getMetadata(key, module) ?? []) as T[];
    const imports = [...metadata<Import>(MODULE_METADATA.IMPORTS), ...((dynamic?.imports ?? []) as Import[])];
    const controllers = [
      ...metadata<Type<object>>(MODULE_METADATA.CONTROLLERS),
      ...((dynamic?.controllers ?? []) as Type<object>[]),
    ];
    return [...controllers, ...controllersOf(imports, seen)];
  });
}
