import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Application, Site } from './application.entity.js';
import { ApplicationsController } from './applications.controller.js';
import { ApplicationsService } from './applications.service.js';
import { SitesController } from './sites.controller.js';

export const entities = [Application, Site];

/** Payment applications, their site and its settings. */
@Module({
  imports: [TypeOrmModule.forFeature(entities)],
  controllers: [ApplicationsController, SitesController],
  providers: [ApplicationsService],
  exports: [ApplicationsService],
})
export class ApplicationsModule {}
