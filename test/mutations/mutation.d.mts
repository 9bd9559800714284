/** A mistake that somebody could make. */
export interface Mutation {
  file: string;
  /** Occurs once in the file. */
  before: string;
  after: string;
  /** What no longer holds. */
  breaks: string;
  /** The test file that should notice. */
  suite: string;
}
