import 'reflect-metadata';
import { createHash, createHmac, createSecretKey } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import {
  Body,
  Controller,
  Get,
  Headers,
  Inject,
  Module,
  NotFoundException,
  Param,
  ParseUUIDPipe,
  Post,
  UnauthorizedException,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import { DataSource, IsNull } from 'typeorm';
import { ApplicationEntity } from '../../src/applications/application.entity.js';
import { ClientTokenEntity } from '../../src/identity/tokens/client-token.entity.js';
import { PaymentStatusHistoryEntity } from '../../src/payments/payment-status-history.entity.js';
import { PaymentEntity } from '../../src/payments/payment.entity.js';
import { newId } from '../../src/platform/runtime/ids.pure.js';

const KEY = createSecretKey('checkout signing key of the benchmark', 'utf8');

class CreateBody {
  @IsString()
  @MaxLength(255)
  reference: string;

  @IsString()
  @MaxLength(255)
  referenceLabel: string;

  @IsString()
  currencyCode: string;

  @IsInt()
  @Min(1)
  amount: number;

  @IsString()
  clientId: string;
}

@Controller('api/payment')
class SaveController {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  @Post('checkout')
  async create(
    @Headers('authorization') authorization: string,
    @Body() { clientId, ...body }: CreateBody,
  ): Promise<{ data: object }> {
    const token = await this.findToken(authorization);
    const application = await this.dataSource
      .getRepository(ApplicationEntity)
      .findOneBy({ clientId, deletedAt: IsNull() });
    if (!token || token.applicationId !== application?.id) throw new UnauthorizedException();
    const createdAt = new Date();
    const id = newId(createdAt);
    const expires = Math.floor(createdAt.getTime() / 1_000) + 3_600;
    await this.dataSource.transaction(async (manager) => {
      await manager.getRepository(PaymentEntity).save({
        ...body,
        id,
        userId: application.userId,
        applicationId: application.id,
        settlementCurrencyCode: body.currencyCode,
        amount: BigInt(body.amount),
        expiresAt: new Date(expires * 1_000),
        createdAt,
      });
      await manager
        .getRepository(PaymentStatusHistoryEntity)
        .save({ paymentId: id, seq: 1, toStatus: 'OPEN', reason: 'created', createdAt });
    });
    const signature = createHmac('sha256', KEY).update(`${id}|${expires}`).digest('hex');
    return {
      data: { id, checkoutUrl: `http://localhost/checkout/${id}?expires=${expires}&signature=${signature}` },
    };
  }

  @Get(':id')
  async get(
    @Headers('authorization') authorization: string,
    @Param('id', ParseUUIDPipe) id: string,
  ): Promise<{ data: object }> {
    const token = await this.findToken(authorization);
    if (!token) throw new UnauthorizedException();
    const { applicationId } = token;
    const payment = await this.dataSource.getRepository(PaymentEntity).findOneBy({ id, applicationId });
    if (!payment) throw new NotFoundException();
    return { data: payment };
  }

  private findToken(authorization: string): Promise<ClientTokenEntity | null> {
    const tokenHash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest();
    return this.dataSource.getRepository(ClientTokenEntity).findOneBy({ tokenHash, revokedAt: IsNull() });
  }
}

/** Nest with Express, class-validator, `repository.save` and `findOneBy`, as its documentation shows them. @returns the port */
export async function openSaveServer(url: string): Promise<number> {
  const dataSource = await new DataSource({
    type: 'postgres',
    url,
    poolSize: 8,
    entities: [ClientTokenEntity, ApplicationEntity, PaymentEntity, PaymentStatusHistoryEntity],
  }).initialize();
  @Module({ controllers: [SaveController], providers: [{ provide: DataSource, useValue: dataSource }] })
  class SaveModule {}
  // Amounts are bigints, which JSON has no form for.
  Object.assign(BigInt.prototype, {
    toJSON(this: bigint) {
      return this.toString();
    },
  });
  const app = await NestFactory.create(SaveModule, { logger: false });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true }));
  await app.listen(0, '127.0.0.1');
  return (app.getHttpServer() as { address(): AddressInfo }).address().port;
}
