// The posting rules of Bluesky. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';
const lexicons = 'https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky';

export const blueskyRules: ChannelRules = {
  channelId: 'bluesky',
  name: 'Bluesky',
  text: { unit: 'graphemes', max: 300, maxBytes: 3_000 },
  textOptional: true,
  title: null,
  maxHashtags: null,
  media: {
    required: false,
    sets: [
      { kinds: ['image'], min: 1, max: 4 },
      { kinds: ['video'], min: 1, max: 1 },
    ],
    files: {
      // Larger images are scaled down to 1 MB.
      image: { types: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: 1_000_000 },
      // Records may reference 300 MB, but servers accept at most 100 MB in one upload.
      video: { types: ['video/mp4'], maxBytes: 100_000_000, maxMs: 180_000 },
    },
    alt: { unit: 'graphemes', max: 2_000 },
  },
  link: 'card',
  linkInTextWith: ['media'],
  settings: [],
  hasThreads: false,
  quotas: [],
  sources: [
    { about: 'text', url: `${lexicons}/feed/post.json`, readOn },
    { about: 'images', url: `${lexicons}/embed/images.json`, readOn },
    { about: 'video', url: `${lexicons}/embed/video.json`, readOn },
    { about: 'quota', url: 'https://docs.bsky.app/docs/advanced-guides/rate-limits', readOn },
  ],
};
