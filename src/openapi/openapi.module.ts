import { Module } from '@nestjs/common';
import { DocsAssetsService } from './docs-assets.service.js';
import { DocsPageController } from './docs-page.controller.js';
import { OpenApiController } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';

/** The documented API, for programs and for people. */
@Module({
  controllers: [OpenApiController, DocsPageController],
  providers: [OpenApiService, DocsAssetsService],
})
export class OpenApiModule {}
