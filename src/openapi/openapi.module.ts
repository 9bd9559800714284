import { Module } from '@nestjs/common';
import { DocsAssetsService } from './docs-assets.service.js';
import { DocsPageController } from './docs-page.controller.js';
import { FrontPageController } from './front-page.controller.js';
import { FrontPageService } from './front-page.service.js';
import { OpenApiController } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';
import { VerifyAddressController } from './verify-address.controller.js';

/** The documented API, for programs and for people, and the page that leads there. */
@Module({
  controllers: [OpenApiController, DocsPageController, FrontPageController, VerifyAddressController],
  providers: [OpenApiService, DocsAssetsService, FrontPageService],
})
export class OpenApiModule {}
