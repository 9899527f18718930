// The posting rules of Facebook Pages. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const facebookRules: ChannelRules = {
  channelId: 'facebook',
  name: 'Facebook',
  text: { unit: 'code_points', max: 63_206 },
  textOptional: true,
  title: null,
  maxHashtags: null,
  media: {
    required: false,
    sets: [
      { kinds: ['image'], min: 1, max: 10 },
      { kinds: ['video'], min: 1, max: 1 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/png', 'image/gif'], maxBytes: 4_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 10_000_000_000, minMs: 1_000, maxMs: 14_400_000 },
    },
    alt: { unit: 'code_points', max: 1_000 },
  },
  link: 'link',
  linkInTextWith: ['media'],
  settings: [],
  hasThreads: false,
  quotas: [],
  sources: [
    { about: 'text', url: 'https://developers.facebook.com/docs/pages-api/posts', readOn },
    { about: 'images', url: 'https://developers.facebook.com/docs/graph-api/reference/page/photos', readOn },
    { about: 'video', url: 'https://developers.facebook.com/docs/graph-api/reference/page/videos', readOn },
  ],
};
