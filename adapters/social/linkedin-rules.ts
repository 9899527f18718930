// What LinkedIn takes on pages of organisations. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';
const docs = 'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares';

export const linkedinRules: ChannelRules = {
  channelId: 'linkedin',
  name: 'LinkedIn',
  text: { unit: 'utf16', most: 3_000 },
  textOptional: true,
  title: null,
  mostHashtags: null,
  media: {
    required: false,
    sets: [
      { kinds: ['image'], least: 1, most: 20 },
      { kinds: ['video'], least: 1, most: 1 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/png', 'image/gif'], mostBytes: 8_000_000 },
      video: { types: ['video/mp4'], mostBytes: 500_000_000, leastMs: 3_000, mostMs: 1_800_000 },
    },
    alt: { unit: 'utf16', most: 4_086 },
  },
  link: 'card',
  linkYieldsTo: ['media'],
  settings: [],
  threads: false,
  quotas: [],
  sources: [
    { about: 'text', url: `${docs}/posts-api`, readOn: null },
    { about: 'reserved characters', url: `${docs}/little-text-format`, readOn },
    { about: 'images', url: `${docs}/images-api`, readOn: null },
    { about: 'several images', url: `${docs}/multiimage-post-api`, readOn },
    { about: 'video', url: `${docs}/videos-api`, readOn: null },
  ],
};
