// What Facebook Pages take. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const facebookRules: ChannelRules = {
  channelId: 'facebook',
  name: 'Facebook',
  text: { unit: 'code_points', most: 63_206 },
  textOptional: true,
  title: null,
  mostHashtags: null,
  media: {
    required: false,
    sets: [
      { kinds: ['image'], least: 1, most: 10 },
      { kinds: ['video'], least: 1, most: 1 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/png', 'image/gif'], mostBytes: 4_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], mostBytes: 10_000_000_000, leastMs: 1_000, mostMs: 14_400_000 },
    },
    alt: { unit: 'code_points', most: 1_000 },
  },
  link: 'link',
  linkYieldsTo: ['media'],
  settings: [],
  threads: false,
  quotas: [],
  sources: [
    { about: 'text', url: 'https://developers.facebook.com/docs/pages-api/posts', readOn },
    { about: 'images', url: 'https://developers.facebook.com/docs/graph-api/reference/page/photos', readOn },
    { about: 'video', url: 'https://developers.facebook.com/docs/graph-api/reference/page/videos', readOn },
  ],
};
