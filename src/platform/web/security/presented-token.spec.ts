import type { Request, Response } from 'express';
import { requestContext } from '../../kernel/request-context.js';
import { sha256 } from '../../kernel/hmac.pure.js';
import { hashOfPresented } from './presented-token.js';

const inRequest = (work: () => void) =>
  requestContext({} as Request, { setHeader: () => undefined } as unknown as Response, work);

it('hashes the token of a request once, and another one for itself', () => {
  const hashes: Buffer[] = [];
  inRequest(() => {
    for (const token of ['one', 'one', 'two', 'two', 'one']) hashes.push(hashOfPresented(token));
  });
  expect(hashes).toEqual(['one', 'one', 'two', 'two', 'one'].map((token) => sha256(token)));
  expect(hashes[1]).toBe(hashes[0]);
  expect(hashes[3]).toBe(hashes[2]);
});

it('keeps nothing for the next request, nor outside of one', () => {
  const hashes: Buffer[] = [];
  for (let i = 0; i < 2; i++) inRequest(() => void hashes.push(hashOfPresented('one')));
  for (let i = 0; i < 2; i++) hashes.push(hashOfPresented('one'));
  expect(new Set(hashes).size).toBe(4);
});
