import type { ConnectorProvider } from './port/index.ts';

/** Options of `connectorsPlugin`. */
export interface ConnectorsOptions {
  /** The providers that connectors may use, such as `smtpConnector()`. (Default: none) */
  readonly providers?: readonly ConnectorProvider[];
  /** The time for which an adapter stays open without use, in milliseconds. (Default: 300,000) */
  readonly idleMs?: number;
}
