import { randomBytes } from 'node:crypto';
import { loadConfig } from './config.js';

const BASE = {
  DATABASE_URL: 'postgres://gateway:x@db.example.com/gateway',
  APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
};
const urlOf = (url: string) => loadConfig({ ...BASE, UPDATE_CHECK_URL: url }).updateCheckUrl;

it('asks nobody by default', () => {
  expect(loadConfig(BASE).updateCheckUrl).toBeNull();
  expect(urlOf(' ')).toBeNull();
});

it.each([
  'https://api.github.com/repos/owner/name/releases/latest',
  'https://10.0.0.7/versions.json?key=secret-word',
  'http://127.0.0.1:8080/version.json',
  'http://[::1]/version.json',
])('asks %s', (url) => expect(urlOf(url)).toBe(url));

it.each([
  'http://example.com/version.json',
  'http://127.0.0.1.example.com/',
  'https://user:secret-word@example.com/',
  'https://',
  'file:///etc/secret-word',
  'api.github.com/secret-word',
  'true',
])('refuses %s without repeating it', (url) => {
  expect(() => urlOf(url)).toThrow(
    /^The configuration has 1 problem\(s\):\n  - UPDATE_CHECK_URL: must be an https URL without a user$/,
  );
});
