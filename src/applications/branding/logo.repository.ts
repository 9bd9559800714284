import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { LogoEntity } from './logo.entity.js';

/** The pictures of logos (application_logos). */
@Injectable()
export class LogoRepository {
  constructor(@InjectRepository(LogoEntity) private readonly logos: Repository<LogoEntity>) {}

  async findContent(applicationId: string): Promise<Buffer | null> {
    return (await this.logos.findOneBy({ applicationId }))?.content ?? null;
  }

  /** In place of the one before; the application is locked. */
  async replace(logo: LogoEntity): Promise<void> {
    await this.delete(logo.applicationId);
    await this.logos.insert(logo);
  }

  async delete(applicationId: string): Promise<void> {
    await this.logos.delete({ applicationId });
  }
}
