// The rules of all channels, for the capture adapter. A new network adds its rules here.
import type { ChannelRules } from '../../plugins/social/port/index.ts';
import { blueskyRules } from './bluesky-rules.ts';
import { facebookRules } from './facebook-rules.ts';
import { instagramRules } from './instagram-rules.ts';
import { linkedinRules } from './linkedin-rules.ts';
import { pinterestRules } from './pinterest-rules.ts';
import { redditRules } from './reddit-rules.ts';
import { threadsRules } from './threads-rules.ts';
import { tiktokRules } from './tiktok-rules.ts';
import { xRules } from './x-rules.ts';
import { youtubeRules } from './youtube-rules.ts';

export const allRules: readonly ChannelRules[] = [
  xRules,
  linkedinRules,
  facebookRules,
  instagramRules,
  threadsRules,
  blueskyRules,
  redditRules,
  tiktokRules,
  youtubeRules,
  pinterestRules,
];
