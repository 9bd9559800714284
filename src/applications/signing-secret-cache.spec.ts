import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { Keyring, UnsealError } from '../platform/kernel/keyring.js';
import { SigningSecretCache } from './signing-secret-cache.js';
import { SECRET_PURPOSE } from './encrypted-columns.js';

const keyring = new Keyring([{ id: 'k1', key: randomBytes(32) }]);
const unseal = jest.spyOn(keyring, 'unseal');
const seal = (application: string, secret: string) => keyring.seal(SECRET_PURPOSE, application, secret);

beforeEach(() => unseal.mockClear());

it('SigningSecretCache decrypts a stored secret once', () => {
  const opened = new SigningSecretCache(keyring);
  const sealed = seal('a', 'one');
  expect([opened.open('a', sealed), opened.open('a', sealed)]).toEqual(['one', 'one']);
  expect(unseal).toHaveBeenCalledTimes(1);
});

it('SigningSecretCache returns a changed secret, or the same one encrypted again, at once', () => {
  const opened = new SigningSecretCache(keyring);
  const texts = [seal('a', 'one'), seal('a', 'two'), seal('a', 'one')];
  expect(texts.map((sealed) => opened.open('a', sealed))).toEqual(['one', 'two', 'one']);
});

it('SigningSecretCache does not return the secret of one application for another', () => {
  const opened = new SigningSecretCache(keyring);
  const sealed = seal('a', 'one');
  opened.open('a', sealed);
  expect(() => opened.open('b', sealed)).toThrow(UnsealError);
});

it('SigningSecretCache does not cache failed decryptions', () => {
  const opened = new SigningSecretCache(keyring);
  const sealed = seal('a', 'one');
  unseal.mockImplementationOnce(() => {
    throw new UnsealError('no key');
  });
  expect(() => opened.open('a', sealed)).toThrow(UnsealError);
  expect(opened.open('a', sealed)).toBe('one');
});

it('SigningSecretCache keeps the newest secrets up to its limit', () => {
  const opened = new SigningSecretCache(keyring, 2);
  const texts = ['one', 'two', 'three'].map((secret) => seal('a', secret));
  for (const sealed of texts) opened.open('a', sealed);
  for (const sealed of texts.slice(1)) opened.open('a', sealed);
  expect(unseal).toHaveBeenCalledTimes(3);
  opened.open('a', texts[0] ?? '');
  expect(unseal).toHaveBeenCalledTimes(4);
});
