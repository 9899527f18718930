// `ctx.services.socialChannels`: the channels for which the program has composed a network, and their rules.
import type { ServiceContext } from '../../core/index.ts';
import { type ChannelRules, isSocialNetwork, type SocialNetwork } from './port/index.ts';

/** The channels of the service. A channel exists if a composed network provides it. */
export interface SocialChannels {
  /** The ids of the channels, in the order in which the program composed their networks. */
  readonly ids: readonly string[];
  readonly networks: readonly SocialNetwork[];
  rulesOf(channelId: string): ChannelRules | undefined;
  /** The network that reaches an account. */
  networkOf(channelId: string, transport: string): SocialNetwork | undefined;
}

/** Builds the channels from the social providers of the connectors plugin. */
export function createSocialChannels({ services }: ServiceContext): SocialChannels {
  const networks = services.connectors.providers.ofKind('social').filter(isSocialNetwork);
  const rules = new Map<string, ChannelRules>();
  for (const network of networks) {
    const { channelId } = network.rules;
    // If several providers publish on a channel, the rules of the native provider apply.
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
