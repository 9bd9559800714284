import { Module } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';
import { OpenApiService } from './openapi.service.js';

/** The documented API. */
@Module({ controllers: [OpenApiController], providers: [OpenApiService] })
export class OpenApiModule {}
