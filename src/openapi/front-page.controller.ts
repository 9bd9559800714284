import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { htmlPage, Operation } from '../platform/web/contract/operation.js';
import { Public } from '../platform/web/security/auth.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { FrontPageService } from './front-page.service.js';

/** For people who open the gateway's address in a browser. */
@Controller()
@Public()
export class FrontPageController {
  constructor(private readonly pages: FrontPageService) {}

  @Get('/')
  @Operation({
    id: 'showFrontPage',
    tag: 'Documentation',
    summary: 'What this is, and where to go',
    description: 'For browsers; 404 to programs that take only JSON.',
    returns: htmlPage('The page.'),
    errors: ['not_found'],
    isInternal: true,
  })
  front(@Req() request: Request, @Res({ passthrough: true }) response: Response): string {
    // There is nothing here for programs that take only JSON.
    response.vary('Accept');
    if (!request.accepts('text/html')) throw new NotFoundError();
    const { status, headers, body } = this.pages.render();
    response.status(status).set(headers);
    return body;
  }
}
