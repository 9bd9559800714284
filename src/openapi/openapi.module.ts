import { Module } from '@nestjs/common';
import { DocsAssetsService } from './docs-assets.service.js';
import { DocsPageController } from './docs-page.controller.js';
import { FrontPageController } from './front-page.controller.js';
import { FrontPageService } from './front-page.service.js';
import { OpenApiController } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';
import { StaticPagesController } from './static-pages.controller.js';

/** The documented API, for programs and for people, and the page that leads there. */
@Module({
  controllers: [OpenApiController, DocsPageController, FrontPageController, StaticPagesController],
  providers: [OpenApiService, DocsAssetsService, FrontPageService],
})
export class OpenApiModule {}
