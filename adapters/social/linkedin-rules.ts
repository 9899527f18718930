// The posting rules of LinkedIn for pages of organisations. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';
const docs = 'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares';

export const linkedinRules: ChannelRules = {
  channelId: 'linkedin',
  name: 'LinkedIn',
  text: { unit: 'utf16', max: 3_000 },
  textOptional: true,
  title: null,
  maxHashtags: null,
  media: {
    required: false,
    sets: [
      { kinds: ['image'], min: 1, max: 20 },
      { kinds: ['video'], min: 1, max: 1 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/png', 'image/gif'], maxBytes: 8_000_000 },
      video: { types: ['video/mp4'], maxBytes: 500_000_000, minMs: 3_000, maxMs: 1_800_000 },
    },
    alt: { unit: 'utf16', max: 4_086 },
  },
  link: 'card',
  linkInTextWith: ['media'],
  settings: [],
  hasThreads: false,
  quotas: [],
  sources: [
    { about: 'text', url: `${docs}/posts-api`, readOn: null },
    { about: 'reserved characters', url: `${docs}/little-text-format`, readOn },
    { about: 'images', url: `${docs}/images-api`, readOn: null },
    { about: 'several images', url: `${docs}/multiimage-post-api`, readOn },
    { about: 'video', url: `${docs}/videos-api`, readOn: null },
  ],
};
