// What Threads takes. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const threadsRules: ChannelRules = {
  channelId: 'threads',
  name: 'Threads',
  text: { unit: 'emoji_bytes', most: 500 },
  textOptional: true,
  title: null,
  // One topic tag: further `#` words are plain text, which readers take for a mistake.
  mostHashtags: 1,
  media: {
    required: false,
    sets: [{ kinds: ['image', 'video'], least: 1, most: 20 }],
    files: {
      image: { types: ['image/jpeg', 'image/png'], mostBytes: 8_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], mostBytes: 1_000_000_000, leastMs: 1, mostMs: 300_000 },
    },
    alt: { unit: 'code_points', most: 1_000 },
  },
  link: 'card',
  linkYieldsTo: ['media'],
  settings: [],
  threads: false,
  quotas: [
    { action: 'publish', most: 250 },
    { action: 'delete', most: 100 },
  ],
  sources: [
    { about: 'text', url: 'https://developers.facebook.com/docs/threads/posts', readOn },
    { about: 'media, quota', url: 'https://developers.facebook.com/docs/threads/overview/', readOn },
  ],
};
