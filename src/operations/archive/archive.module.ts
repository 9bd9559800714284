import { Module } from '@nestjs/common';
import { PaymentArchiveRepository } from './payment-archive.repository.js';
import { PaymentArchive } from './payment-archive.service.js';

/** Finished payments in a file of their own. */
@Module({ providers: [PaymentArchive, PaymentArchiveRepository] })
export class ArchiveModule {}
