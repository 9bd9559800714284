import { GatewayError } from '../../sdk/src/errors.js';

/** The error that a call of the client package ends with. */
export async function errorOf(call: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw new Error(`no GatewayError: ${String(error)}`);
  return error;
}
