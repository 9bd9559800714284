import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import { cursorPage, exported, Operation, PathParameters } from '../platform/web/contract/operation.js';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { CursorQuery } from '../platform/web/http/cursor-query.js';
import { type ExportRequest, Exports } from '../platform/web/http/exports.service.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import { HoldingAddressContract } from './holding-address.contract.js';
import { ExportHoldingAddressesQuery, HoldingAddressExportRow } from './holding-address-export.contract.js';
import { HoldingAddressExports } from './holding-address-exports.service.js';
import { HoldingAddressesService } from './holding-addresses.service.js';

/** Which addresses have received what, for whoever fetches it. */
@Controller('api/payment-applications/:id/holdings/addresses')
@OAuthOnly('wallets')
@PathParameters({ id: APPLICATION_ID })
export class HoldingAddressesController {
  constructor(
    private readonly addresses: HoldingAddressesService,
    private readonly sources: HoldingAddressExports,
    private readonly exports: Exports,
  ) {}

  @Get()
  @Operation({
    id: 'listHoldingAddresses',
    tag: 'Wallets',
    summary: 'List received funds by address',
    description:
      'Every deposit address that has received something, once for each blockchain and asset, with the path of its key; ' +
      'newest first. The sums are those of the list of received funds.',
    returns: cursorPage(HoldingAddressContract, 'The next addresses.'),
    errors: ['payment_application_not_found'],
  })
  list(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Query() query: CursorQuery,
  ): Promise<CursorPage<HoldingAddressContract>> {
    return this.addresses.list(userId, id, query);
  }

  @Get('export')
  @Operation({
    id: 'exportHoldingAddresses',
    tag: 'Wallets',
    summary: 'Export received funds by address',
    description:
      'The list as a file of any length, newest first, with all that leads to the money: the path of the key, or the index, ' +
      'namespace, treasury and factory. The page `/collector` opens the CSV file of one EVM chain as it is.',
    returns: exported(HoldingAddressExportRow, 'The addresses.'),
    errors: ['payment_application_not_found'],
  })
  async export(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() query: ExportHoldingAddressesQuery,
    @Req() request: ExportRequest,
    @Res() response: Response,
  ): Promise<void> {
    const source = await this.sources.of(principal.userId, id, query);
    return this.exports.send(principal, request, response, source);
  }
}
