// Social networks for tests: the channels of social-rules.ts, kept in memory, as if they were the networks' own adapters.
import { captureSocial } from '../../adapters/social/capture.ts';
import type { CapturingNetwork, ChannelRules } from '../../plugins/social/port/index.ts';
import { exampleRules } from './social-rules.ts';

/** The network of a channel. */
export function networkOf(networks: readonly CapturingNetwork[], channelId: string): CapturingNetwork {
  const network = networks.find(({ rules }) => rules.channelId === channelId);
  if (network === undefined) throw new Error(`There is no network ${channelId}.`);
  return network;
}

/** The networks are native, so that posts on X cost credits here, too. */
export const testNetworks = (rules: readonly ChannelRules[] = exampleRules): CapturingNetwork[] =>
  captureSocial({ rules }).map((network) => ({
    ...network,
    provider: network.rules.channelId,
    transport: 'native',
  }));
