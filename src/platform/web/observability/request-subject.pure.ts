import { UUID } from '../../kernel/ids.pure.js';
import type { Principal } from '../../kernel/principal.pure.js';

/** What a line of the request log says about whose request it was, and about what. */
export interface RequestSubject {
  paymentId?: string;
  applicationId?: string;
  userId?: string;
}

interface SubjectRequest {
  /** Template of the route, e.g. `/api/payment-applications/:id`. */
  route: string;
  params: Readonly<Record<string, unknown>>;
  user?: Principal | undefined;
}

/** Ids only: a parameter can be any text that a client sends. */
export function requestSubject({ route, params, user }: SubjectRequest): RequestSubject {
  const { paymentId } = params;
  const applicationId = route.startsWith('/api/payment-applications/:id')
    ? params['id']
    : user?.kind === 'client' && user.applicationId;
  return {
    ...(isId(paymentId) && { paymentId }),
    ...(isId(applicationId) && { applicationId }),
    ...(user && { userId: user.userId }),
  };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
