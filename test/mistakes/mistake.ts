import type { MistakesHarness } from './mistakes-harness.js';

/** A request as an integrator sends it. */
export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON; text as it is, with the content type that `headers` name. */
  body?: object | string | Uint8Array;
}

/** A realistic mistake of an integrator; answers.json says what is answered to it. */
export interface Mistake {
  /** What is wrong with the request; unique within its group. */
  title: string;
  request(harness: MistakesHarness): Sent;
}

export interface MistakeGroup {
  name: string;
  mistakes: Mistake[];
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
