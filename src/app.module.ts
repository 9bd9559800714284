import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from './config.js';
import type { Clock } from './common/clock.js';
import { CommonModule } from './common/common.module.js';

/** The one place that joins the modules. */
@Module({})
export class AppModule {
  static register(config: Config, clock: Clock): DynamicModule {
    return {
      module: AppModule,
      imports: [CommonModule.register(config, clock, [])],
    };
  }
}
