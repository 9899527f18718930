// The rules of all channels, for the capture adapter. A new network adds its rules here.
import type { ChannelRules } from '../../plugins/social/port/index.ts';
import { blueskyRules } from './bluesky-rules.ts';
import { facebookRules } from './facebook-rules.ts';
import { instagramRules } from './instagram-rules.ts';
import { pinterestRules } from './pinterest-rules.ts';
import { threadsRules } from './threads-rules.ts';
import { tiktokRules } from './tiktok-rules.ts';
import { xRules } from './x-rules.ts';
import { youtubeRules } from './youtube-rules.ts';

export const allRules: readonly ChannelRules[] = [
  xRules,
  facebookRules,
  instagramRules,
  threadsRules,
  blueskyRules,
  tiktokRules,
  youtubeRules,
  pinterestRules,
];
