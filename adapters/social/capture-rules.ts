// The rules of all channels, for the capture adapter. A new network adds its rules here.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

export const allRules: readonly ChannelRules[] = [];
