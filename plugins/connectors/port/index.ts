// postrider/plugins/connectors/port, the connector port: defines how a provider accepts a workspace's own credentials. An
// adapter's file makes the definition, and the program composes it. It does nothing before a connector is used.
import type { Outgoing, z } from '../../../core/index.ts';
import type { MailAdapter } from '../../email/port/index.ts';
import type { SmsAdapter } from '../../sms/port/index.ts';
import type { SocialAdapter } from '../../social/port/index.ts';

/** The adapter of each kind of connector. */
export interface ConnectorAdapters {
  mail: MailAdapter;
  sms: SmsAdapter;
  social: SocialAdapter;
}

export type ConnectorKind = keyof ConnectorAdapters;

/** The credentials and options of one connector, opened for a call. Do not keep, log or throw them. */
export interface OpenedConnector<Credentials = unknown, Options = unknown> {
  readonly credentials: Credentials;
  readonly options: Options;
}

/** The parts of the service that an adapter may use. */
export interface ConnectorPorts {
  /** Makes requests and connections to hosts that a tenant named, to public addresses only. */
  readonly outgoing: Outgoing;
}

/** The reason why credentials no longer work: they have expired, or the provider refuses them. */
export type CredentialFault = 'expired' | 'revoked';

/** Thrown by `refresh` if the provider refuses permanently. Any other error is retried. Contains no credentials. */
export class CredentialsRefused extends Error {
  readonly fault: CredentialFault;

  constructor(fault: CredentialFault, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'CredentialsRefused';
    this.fault = fault;
  }
}

/** A provider as the program composes it. `defineConnector` makes one. */
export interface ConnectorProvider<Kind extends ConnectorKind = ConnectorKind> {
  readonly kind: Kind;
  /** The name of the provider, such as `smtp`. Unique within its kind, 1 to 40 characters of a–z, 0–9, - and _. */
  readonly provider: string;
  /** The display name, such as `SMTP`. */
  readonly name: string;
  /** The schema of the secret values: an object. Sealed as a whole. */
  readonly credentials: z.ZodType;
  /** The schema of the values that are not secret: an object. Stored unencrypted. */
  readonly options: z.ZodType;
  /** Makes the adapter of one connector, without network access or timers. Its `close` is called when the credentials change. */
  connect(opened: OpenedConnector, ports: ConnectorPorts): ConnectorAdapters[Kind];
  /** The time at which the credentials expire, in milliseconds since the epoch; null for never. (Default: never) */
  expiresAt?(credentials: unknown): number | null;
  /**
   * Returns new credentials in place of expiring ones, such as an OAuth refresh (RFC 6749, section 6). One process calls it at a
   * time; `signal` ends it after 15 seconds. (Default: expired credentials stay expired)
   * @throws CredentialsRefused
   */
  refresh?(opened: OpenedConnector, signal: AbortSignal, ports: ConnectorPorts): Promise<unknown>;
  /** Whether an error of the adapter means that the provider refuses the credentials. (Default: no error does) */
  faultOf?(error: unknown): CredentialFault | undefined;
}

/** Declares a provider with the types of its schemas. */
export function defineConnector<
  const Kind extends ConnectorKind,
  Credentials extends z.ZodType,
  Options extends z.ZodType,
>(definition: {
  readonly kind: Kind;
  readonly provider: string;
  readonly name: string;
  readonly credentials: Credentials;
  readonly options: Options;
  connect(
    opened: OpenedConnector<z.output<Credentials>, z.output<Options>>,
    ports: ConnectorPorts,
  ): ConnectorAdapters[Kind];
  expiresAt?(credentials: z.output<Credentials>): number | null;
  refresh?(
    opened: OpenedConnector<z.output<Credentials>, z.output<Options>>,
    signal: AbortSignal,
    ports: ConnectorPorts,
  ): Promise<z.input<Credentials>>;
  faultOf?(error: unknown): CredentialFault | undefined;
}): ConnectorProvider<Kind> {
  return definition as ConnectorProvider<Kind>;
}
