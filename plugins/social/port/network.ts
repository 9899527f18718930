// Networks as the program composes them: providers of connectors with the rules of their channel.
import type { Outgoing, z } from '../../../core/index.ts';
import type { ConnectorProvider } from '../../connectors/port/index.ts';
import type { SocialAdapter, SocialCapabilities } from './adapter.ts';
import { isSocialError } from './errors.ts';
import { readNetworkClock, withClock } from './network-clock.ts';
import type { ChannelRules } from './rules.ts';

/** A network as the program composes it, in `connectorsPlugin({ providers })`: a provider of connectors, and the channel's rules. */
export interface SocialNetwork extends ConnectorProvider<'social'> {
  /** `native`, or the id of the adapter that publishes through another service. Native providers are named as their channel. */
  readonly transport: string;
  readonly rules: ChannelRules;
  readonly capabilities: SocialCapabilities;
}

/** Options of a connector that every network has. */
export interface SocialConnectorOptions {
  /** The program's statement that the account is a company's, where the network does not say. (Default: false) */
  readonly company?: boolean;
}

/** What a network's definition gives. */
export interface SocialNetworkDefinition<Credentials extends z.ZodType, Options extends z.ZodType> {
  /** Names the provider of connectors. (Default: the channel's id) */
  readonly provider?: string;
  /** (Default: native) */
  readonly transport?: string;
  readonly rules: ChannelRules;
  readonly capabilities: SocialCapabilities;
  /** An object of what is secret. Sealed as a whole. */
  readonly credentials: Credentials;
  /** An object of what is not secret. Holds `company` where the network does not say what an account is. */
  readonly options: Options;
  connect(
    opened: { readonly credentials: z.output<Credentials>; readonly options: z.output<Options> },
    ports: { readonly outgoing: Outgoing },
  ): SocialAdapter;
  /** When the credentials expire, in milliseconds since the epoch; null for never. (Default: never) */
  expiresAt?(credentials: z.output<Credentials>): number | null;
  /** New credentials in place of expiring ones. One process at a time. @throws CredentialsRefused */
  refresh?(
    opened: { readonly credentials: z.output<Credentials>; readonly options: z.output<Options> },
    signal: AbortSignal,
    ports: { readonly outgoing: Outgoing },
  ): Promise<z.input<Credentials>>;
}

/** Declares a network with the types of its schemas. */
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
