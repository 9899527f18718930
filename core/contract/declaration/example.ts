// Examples of operations: a request and its response, as plain data. Plugins provide the examples; the OpenAPI document shows
// them. They are recorded from real calls (hosts/testing/record-examples.ts), never written by hand.

/** One recorded call. The parts of the request are as an HTTP client sends them. */
export interface OperationExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body of the response. */
  readonly answer: unknown;
  /** Credits that the call cost. (Default: none) */
  readonly credits?: number;
}

/** Examples by operation id. */
export type OperationExamples = Readonly<Record<string, OperationExample>>;
