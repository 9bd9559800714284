import 'reflect-metadata';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
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
  Req,
  type Type,
  UnauthorizedException,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import { DataSource, IsNull } from 'typeorm';
import { ApplicationEntity } from '../../src/applications/application.entity.js';
import { ClientTokenEntity } from '../../src/tokens/client-token.entity.js';
import { PaymentStatusHistoryEntity } from '../../src/payments/payment-status-history.entity.js';
import { PaymentEntity } from '../../src/payments/payment.entity.js';
import { newId } from '../../src/platform/kernel/ids.pure.js';
import type { Merchant } from './api-server.js';
import { checkoutUrl, groupInserter, tokens } from './bare-servers.js';

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
      await manager.getRepository(PaymentStatusHistoryEntity).save({
        paymentId: id,
        userId: application.userId,
        seq: 1,
        toStatus: 'OPEN',
        reason: 'created',
        createdAt,
      });
    });
    return { data: { id, checkoutUrl: checkoutUrl(id, expires) } };
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
  // Amounts are bigints, which JSON has no form for.
  Object.assign(BigInt.prototype, {
    toJSON(this: bigint) {
      return this.toString();
    },
  });
  @Module({ controllers: [SaveController], providers: [{ provide: DataSource, useValue: dataSource }] })
  class SaveModule {}
  return listen(SaveModule);
}

/**
 * The bare server with group commit as a route of Nest with Express and class-validator: what any server on them takes.
 * @returns the port
 */
export async function openNestGroupServer(url: string, merchant: Merchant): Promise<number> {
  const insert = groupInserter(url, merchant);
  const isKnown = tokens(merchant);
  @Controller('api/payment')
  class GroupController {
    @Post('checkout')
    async create(
      @Req() request: IncomingMessage,
      @Body() { clientId, ...body }: CreateBody,
    ): Promise<{ data: object }> {
      if (!isKnown(request) || clientId !== merchant.clientId) throw new UnauthorizedException();
      const createdAt = new Date();
      const id = newId(createdAt);
      const expires = Math.floor(createdAt.getTime() / 1_000) + 3_600;
      await insert({ ...body, id, expires });
      return { data: { id, checkoutUrl: checkoutUrl(id, expires) } };
    }
  }
  @Module({ controllers: [GroupController] })
  class GroupModule {}
  return listen(GroupModule);
}

/** @returns the port */
async function listen(module: Type<object>): Promise<number> {
  const app = await NestFactory.create(module, { logger: false });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true }));
  await app.listen(0, '127.0.0.1');
  return (app.getHttpServer() as { address(): AddressInfo }).address().port;
}
