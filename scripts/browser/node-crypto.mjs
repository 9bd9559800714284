// Stands for node:crypto where the derivation of addresses runs without Node (scripts/bundle-derivation.mjs).
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer';

const HASHES = { ripemd160, sha256, sha512 };

export function createHash(name) {
  const hash = HASHES[name];
  if (!hash) throw new Error(`no ${name} here`);
  const state = hash.create();
  const self = {
    update: (data) => {
      state.update(typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data));
      return self;
    },
    digest: () => Buffer.from(state.digest()),
  };
  return self;
}

/** Imported beside createHash by files that also serve the gateway; deriving an address needs neither. */
export function createHmac() {
  throw new Error('no HMAC here');
}

export function timingSafeEqual() {
  throw new Error('no secrets here');
}
