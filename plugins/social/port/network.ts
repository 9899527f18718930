// Social networks: providers of connectors with the rules of their channel.
import type { Outgoing, z } from '../../../core/index.ts';
import type { ConnectorProvider } from '../../connectors/port/index.ts';
import type { SocialAdapter, SocialCapabilities } from './adapter.ts';
import { isSocialError } from './errors.ts';
import { readNetworkClock, withClock } from './network-clock.ts';
import type { ChannelRules } from './rules.ts';

/** A network for `connectorsPlugin({ providers })`: a provider of connectors with the channel's rules. */
export interface SocialNetwork extends ConnectorProvider<'social'> {
  /** `native`, or the id of the adapter that publishes through another service. A native provider has the name of its channel. */
  readonly transport: string;
  readonly rules: ChannelRules;
  readonly capabilities: SocialCapabilities;
}

/** Options of a connector that every network has. */
export interface SocialConnectorOptions {
  /** Set by the program if the account is a company's and the network does not say so. (Default: false) */
  readonly company?: boolean;
}

/** The definition of a network. */
export interface SocialNetworkDefinition<Credentials extends z.ZodType, Options extends z.ZodType> {
  /** Names the provider of connectors. (Default: the channel's id) */
  readonly provider?: string;
  /** (Default: native) */
  readonly transport?: string;
  readonly rules: ChannelRules;
  readonly capabilities: SocialCapabilities;
  /** The schema of the secrets, an object. It is sealed as a whole. */
  readonly credentials: Credentials;
  /**
   * The schema of the values that are not secret, an object. Contains `company` if the network does not say whether an account is
   * a company's.
   */
  readonly options: Options;
  connect(
    opened: { readonly credentials: z.output<Credentials>; readonly options: z.output<Options> },
    ports: { readonly outgoing: Outgoing },
  ): SocialAdapter;
  /** The time at which the credentials expire, in milliseconds since the epoch; null for never. (Default: never) */
  expiresAt?(credentials: z.output<Credentials>): number | null;
  /** Replaces expiring credentials. Only one process calls it at a time. @throws CredentialsRefused */
  refresh?(
    opened: { readonly credentials: z.output<Credentials>; readonly options: z.output<Options> },
    signal: AbortSignal,
    ports: { readonly outgoing: Outgoing },
  ): Promise<z.input<Credentials>>;
}

/** Declares a network. Its types are inferred from its schemas. */
export function defineSocialNetwork<Credentials extends z.ZodType, Options extends z.ZodType>(
  definition: SocialNetworkDefinition<Credentials, Options>,
): SocialNetwork {
  const { rules, provider = rules.channelId, transport = 'native' } = definition;
  return {
    ...definition,
    kind: 'social',
    provider,
    name: transport === 'native' ? rules.name : `${rules.name} (${transport})`,
    transport,
    connect(opened: Parameters<typeof definition.connect>[0], { outgoing }: { readonly outgoing: Outgoing }) {
      const clock = readNetworkClock(outgoing);
      return withClock(definition.connect(opened, { outgoing: clock.outgoing }), clock);
    },
    faultOf: (error: unknown) => (isSocialError(error) ? error.credentials : undefined),
  } as SocialNetwork;
}

/** Whether a provider of connectors is a network with rules. */
export const isSocialNetwork = (provider: ConnectorProvider): provider is SocialNetwork =>
  provider.kind === 'social' && 'rules' in provider;
