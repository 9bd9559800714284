import type { Request, Response } from 'express';
import {
  isJsonType,
  MAX_BODY_VALUES,
  readForm,
  readJson,
  requireCleanText,
  requireJson,
} from './request-body.js';

describe('isJsonType', () => {
  it.each([
    ['application/json', true],
    ['Application/JSON; charset=UTF-8', true],
    ['application/json;charset="utf-8"; v=1', true],
    ['application/vnd.shop+json', true],
    ['application/json; charset=utf-16', false],
    ['application/json; charset=iso-8859-1', false],
    ['application/jsonp', false],
    ['application/x-www-form-urlencoded', false],
    ['text/json', false],
    ['multipart/form-data; boundary=application/json', false],
    ['', false],
    [undefined, false],
  ])('%p: %p', (type, isJson) => expect(isJsonType(type)).toBe(isJson));
});

describe('readJson', () => {
  it('reads UTF-8', () => expect(readJson(Buffer.from('{"a":"💰"}'))).toEqual({ a: '💰' }));

  it('reads as many values as no request has', () =>
    expect(readJson(Buffer.from(`[${'1,'.repeat(MAX_BODY_VALUES - 2)}1]`))).toHaveLength(
      MAX_BODY_VALUES - 1,
    ));

  it('drops a byte order mark at the start and keeps one inside a string', () =>
    expect(readJson(Buffer.from('\ufeff{"a":"\ufeffb"}'))).toEqual({ a: '\ufeffb' }));

  it.each([
    ['two byte order marks', Buffer.from('\ufeff\ufeff{}')],
    ['a byte order mark inside', Buffer.from('{\ufeff}')],
    ['a byte order mark alone', Buffer.from('\ufeff')],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['broken UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['an overlong NUL', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['white space', Buffer.from('  ')],
    ['a value too many', Buffer.from(`[${'1,'.repeat(MAX_BODY_VALUES - 1)}1]`)],
    [
      'one too many below names',
      Buffer.from(`{"a":{${Array.from({ length: MAX_BODY_VALUES - 1 }, (_, i) => `"${i}":1`).join(',')}}}`),
    ],
  ])('rejects %s', (_name, bytes) => {
    expect(() => readJson(bytes)).toThrow(expect.objectContaining({ status: 400, code: 'malformed_json' }));
  });
});

describe('requireJson', () => {
  const refuse = (headers: Record<string, string>, path = '/api/payment/checkout') => {
    try {
      requireJson(
        { headers: { 'content-length': '2', ...headers }, path } as Request,
        {} as Response,
        () => {},
      );
    } catch (error) {
      return error;
    }
    return null;
  };

  it.each<[headers: Record<string, string>, says: string]>([
    [{}, 'no Content-Type; send Content-Type: application/json'],
    [{ 'content-type': 'text/plain' }, 'was sent as text/plain; send Content-Type: application/json'],
    [
      { 'content-type': 'Application/X-WWW-Form-Urlencoded' },
      'was sent as application/x-www-form-urlencoded',
    ],
    [{ 'content-type': 'application/json; charset=utf-16' }, 'JSON is read in UTF-8 only'],
    [{ 'content-type': '<json>' }, 'is not a media type'],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'was sent compressed'],
  ])('rejects %j and names the required content type', (headers, says) =>
    expect(refuse(headers)).toMatchObject({
      code: 'unsupported_media_type',
      extra: { hint: expect.stringContaining(says) as string },
    }),
  );

  it.each<[headers: Record<string, string>, path: string]>([
    [{ 'content-type': 'application/json' }, '/api/payment'],
    [{ 'content-type': 'application/json', 'content-encoding': 'identity' }, '/api/payment'],
    [{ 'content-length': '0' }, '/api/payment'],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, '/refund/1'],
  ])('accepts %j', (headers, path) => expect(refuse(headers, path)).toBeNull());
});

describe('requireCleanText', () => {
  it.each<[unknown, string]>([
    [{ name: 'a\0' }, 'name'],
    [{ list: ['a', '\ud800'] }, 'list.1'],
    [{ a: { b: [{ c: '\0' }] } }, 'a.b.0.c'],
    [{ 'k\0': 1 }, 'body'],
    [{ a: { 'k\0': 1 } }, 'a'],
    ['\0', 'body'],
  ])('%j', (body, field) => {
    expect(() => requireCleanText(body)).toThrow(
      expect.objectContaining({
        status: 422,
        extra: { errors: { [field]: [`The ${field} field must not contain invalid characters.`] } },
      }),
    );
  });

  it('accepts everything else', () => {
    expect(() => requireCleanText({ a: ['💰\u202e', 1, null, 10n, true] })).not.toThrow();
  });
});

describe('readForm', () => {
  it.each([
    ['address=0x12&confirm=yes', { address: '0x12', confirm: 'yes' }],
    ['address=a+b%20c%26', { address: 'a b c&' }],
    ['address=1&address=2', { address: ['1', '2'] }],
    ['address', { address: '' }],
    ['', {}],
  ])('reads "%s"', (text, fields) => {
    expect(readForm(Buffer.from(text))).toEqual(fields);
  });
});
