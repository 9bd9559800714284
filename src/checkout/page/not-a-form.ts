import { GatewayError } from '../../platform/kernel/errors/errors.pure.js';

/** 415 for a body of another kind than the page's forms send. */
export function notAForm(): GatewayError {
  return new GatewayError('unsupported_media_type', 'The body must be application/x-www-form-urlencoded.', {
    hint: 'This is the form of a page; programs use the API below /api/checkout.',
  });
}
