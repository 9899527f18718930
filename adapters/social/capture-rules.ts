// The rules of all channels, for the capture adapter. A new network adds its rules here.
import type { ChannelRules } from '../../plugins/social/port/index.ts';
import { facebookRules } from './facebook-rules.ts';
import { instagramRules } from './instagram-rules.ts';
import { pinterestRules } from './pinterest-rules.ts';
import { threadsRules } from './threads-rules.ts';
import { tiktokRules } from './tiktok-rules.ts';
import { youtubeRules } from './youtube-rules.ts';

export const allRules: readonly ChannelRules[] = [
  facebookRules,
  instagramRules,
  threadsRules,
  tiktokRules,
  youtubeRules,
  pinterestRules,
];
