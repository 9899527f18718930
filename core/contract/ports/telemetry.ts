// What plugins may measure: the calls of their adapters to providers. Made by core/telemetry; costs next to nothing where
// no telemetry is composed.

/** A call to a provider. Names only: never an address, a subject or a body. */
export interface ProviderCall {
  /** The port: `mail`. */
  readonly port: string;
  /** The provider: `ses`. */
  readonly provider: string;
  /** What is asked: `send`. */
  readonly operation: string;
}

/** Measures for plugins. */
export interface TelemetryPort {
  /** Runs `work` in a client span, and counts and times it. Of an error only its name is recorded. */
  provider<T>(call: ProviderCall, work: () => Promise<T>): Promise<T>;
}
