// The telemetry port for plugins: measures the calls of their adapters to providers. Made by core/telemetry. Costs almost
// nothing if no telemetry is composed.

/** A call to a provider. Contains only names, never an address, a subject or a body. */
export interface ProviderCall {
  /** The name of the port: `mail`. */
  readonly port: string;
  /** The name of the provider: `ses`. */
  readonly provider: string;
  /** The requested action: `send`. */
  readonly operation: string;
}

/** `ctx.ports.telemetry`. */
export interface TelemetryPort {
  /** Runs `work` in a client span, counts it and measures its time. If it throws, only the name of the error is recorded. */
  provider<T>(call: ProviderCall, work: () => Promise<T>): Promise<T>;
}
