// The posting rules of Threads. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const threadsRules: ChannelRules = {
  channelId: 'threads',
  name: 'Threads',
  text: { unit: 'emoji_bytes', max: 500 },
  textOptional: true,
  title: null,
  // One topic tag. Further `#` words stay plain text, which readers consider a mistake.
  maxHashtags: 1,
  maxLinks: 5,
  media: {
    required: false,
    sets: [{ kinds: ['image', 'video'], min: 1, max: 20 }],
    files: {
      image: { types: ['image/jpeg', 'image/png'], maxBytes: 8_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 1_000_000_000, minMs: 1, maxMs: 300_000 },
    },
    alt: { unit: 'code_points', max: 1_000 },
  },
  link: 'card',
  linkInTextWith: ['media'],
  settings: [],
  hasThreads: false,
  quotas: [
    { action: 'publish', max: 250 },
    { action: 'delete', max: 100 },
  ],
  sources: [
    { about: 'text', url: 'https://developers.facebook.com/docs/threads/posts', readOn },
    {
      about: 'links',
      url: 'https://developers.facebook.com/documentation/threads/create-posts/text-attachments',
      readOn: '2026-11-28',
    },
    { about: 'media, quota', url: 'https://developers.facebook.com/docs/threads/overview/', readOn },
  ],
};
