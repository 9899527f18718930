// `ctx.services.socialChannels`: the channels that the program composed, with their rules.
import type { ServiceContext } from '../../core/index.ts';
import { type ChannelRules, isSocialNetwork, type SocialNetwork } from './port/index.ts';

/** The composed channels. A channel exists where a network provides it. */
export interface SocialChannels {
  /** In the order in which they were composed. */
  readonly ids: readonly string[];
  readonly networks: readonly SocialNetwork[];
  rulesOf(channelId: string): ChannelRules | undefined;
  /** The network that reaches an account. */
  networkOf(channelId: string, transport: string): SocialNetwork | undefined;
}

/** Makes them of the connectors' providers. */
export function createSocialChannels({ services }: ServiceContext): SocialChannels {
  const networks = services.connectors.providers.ofKind('social').filter(isSocialNetwork);
  const rules = new Map<string, ChannelRules>();
  for (const network of networks) {
    const { channelId } = network.rules;
    // The network's own rules go before those of another service that publishes there.
    if (!rules.has(channelId) || network.transport === 'native') rules.set(channelId, network.rules);
  }
  return {
    ids: [...rules.keys()],
    networks,
    rulesOf: (channelId) => rules.get(channelId),
    networkOf: (channelId, transport) =>
      networks.find((network) => network.rules.channelId === channelId && network.transport === transport),
  };
}
