// An example of an operation: a request and its answer, as plain data. Plugins bring them, the OpenAPI document shows
// them. They are recorded from real calls (hosts/testing/record-examples.ts), never written by hand.

/** One recorded call. The parts of the request are what an HTTP client sends. */
export interface OperationExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body of the answer. */
  readonly answer: unknown;
  /** Credits that the call cost. (Default: none) */
  readonly credits?: number;
}

/** By operation id. */
export type OperationExamples = Readonly<Record<string, OperationExample>>;
