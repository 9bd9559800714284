import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../platform/security/auth.js';
import { NotFoundError } from '../platform/errors/errors.pure.js';
import { FrontPageService } from './front-page.service.js';

/** For people who open the gateway's address in a browser. */
@Controller()
@Public()
export class FrontPageController {
  constructor(private readonly pages: FrontPageService) {}

  @Get('/')
  front(@Req() request: Request, @Res({ passthrough: true }) response: Response): string {
    return this.send(request, response, false);
  }

  @Get('dashboard')
  dashboard(@Req() request: Request, @Res({ passthrough: true }) response: Response): string {
    return this.send(request, response, true);
  }

  /** Programs that take nothing but JSON are told what they were told before: there is nothing for them here. */
  private send(request: Request, response: Response, isDashboard: boolean): string {
    response.vary('Accept');
    if (!request.accepts('text/html')) throw new NotFoundError();
    const { status, headers, body } = this.pages.render(isDashboard);
    response.status(status).set(headers);
    return body;
  }
}
