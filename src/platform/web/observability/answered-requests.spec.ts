import type { Request, Response } from 'express';
import { SystemClock } from '../../kernel/clock.pure.js';
import type { Principal } from '../../kernel/principal.pure.js';
import { AnsweredRequests } from './answered-requests.js';

const server = (userId: string): Principal => ({
  kind: 'client',
  userId,
  applicationId: 'application',
  tokenId: 'token',
  scopes: ['*'],
});

/** @param user null: the token was not looked up */
function note(answered: AnsweredRequests, user: Principal | null, status = 200): void {
  const headers = { authorization: `Bearer pct_${'a'.repeat(40)}` };
  const request = { ...(user && { user }), headers, method: 'GET', originalUrl: '/', get: () => undefined };
  const response = { statusCode: status, locals: {}, getHeader: () => 'id' };
  const socket = { remoteAddress: '203.0.113.9' };
  answered.note({ ...request, socket } as unknown as Request, response as unknown as Response, {
    route: '/',
    durationMs: 1,
  });
}

describe('AnsweredRequests', () => {
  const fill = (answered: AnsweredRequests, userId: string, count: number) => {
    for (let n = 0; n < count; n++) note(answered, server(userId));
  };

  it('keeps so many of one account, and has room for it again as soon as they are taken', () => {
    const answered = new AnsweredRequests(new SystemClock());
    fill(answered, 'busy', 1_200);
    fill(answered, 'calm', 1);
    expect(answered.take(500)).toMatchObject({ leftOut: 200, requests: { length: 500 } });
    fill(answered, 'busy', 501);
    expect(answered.take(9_999)).toMatchObject({ leftOut: 1, requests: { length: 1_001 } });
    expect(answered.take(1)).toEqual({ leftOut: 0, requests: [] });
  });

  it('keeps so many of all', () => {
    const answered = new AnsweredRequests(new SystemClock());
    for (let n = 0; n < 6; n++) fill(answered, `account ${n}`, 900);
    expect(answered.take(9_999)).toMatchObject({ leftOut: 400, requests: { length: 5_000 } });
  });

  it('keeps of strangers what was refused, and no more than of one account', () => {
    const answered = new AnsweredRequests(new SystemClock());
    for (let n = 0; n < 1_100; n++) note(answered, null, 401);
    note(answered, null, 200);
    note(answered, server('calm'));
    expect(answered.take(9_999)).toMatchObject({ leftOut: 100, requests: { length: 1_001 } });
  });

  it('keeps nothing of a person', () => {
    const answered = new AnsweredRequests(new SystemClock());
    const signIn = { authTime: 1, acr: null };
    note(answered, { kind: 'oauth', userId: 'mia', clientId: null, grantId: 'g', scopes: ['*'], signIn });
    expect(answered.take(1).requests).toEqual([]);
  });
});
