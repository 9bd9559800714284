import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Operation, unwrapped } from '../platform/web/contract/operation.js';
import { Public } from '../platform/web/security/auth.js';
import { OpenApiDocumentContract } from './openapi.contract.js';
import { OpenApiService } from './openapi.service.js';

/** The machine-readable contract (specification/conventions.md#versioning). */
@Controller('api/openapi.json')
@Public()
export class OpenApiController {
  constructor(private readonly document: OpenApiService) {}

  /** As text: a document of its own shape, which no envelope goes around. */
  @Get()
  @Operation({
    id: 'getOpenApiDocument',
    tag: 'Documentation',
    summary: 'This document',
    description: 'As this gateway serves it: `servers` and the OAuth2 flows have its public address.',
    returns: unwrapped(OpenApiDocumentContract, 'OpenAPI 3.1. Not wrapped in `data`.'),
    etag: true,
  })
  get(@Req() request: Request, @Res({ passthrough: true }) response: Response): string | undefined {
    const { etag, text } = this.document.print();
    response.set({ ETag: etag, 'Cache-Control': 'public, no-cache' });
    if (request.get('if-none-match') === etag) {
      response.status(304);
      return undefined;
    }
    response.set('Content-Type', 'application/json; charset=utf-8');
    return text;
  }
}
