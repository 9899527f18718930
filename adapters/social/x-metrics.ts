// Metrics of posts on X. Called by x.ts.
import type { LiveTarget, PostMetrics, SocialCallOptions } from '../../plugins/social/port/index.ts';
import { fieldsOf, listOf, type ReportFields } from '../kit/report-fields.ts';
import type { XCalls } from './x-media.ts';

const count = (fields: ReportFields, name: string): number | null =>
  typeof fields[name] === 'number' ? (fields[name] as number) : null;

/** The sum of the known values; null if no value is known. */
const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((total, value) => (value === null ? total : (total ?? 0) + value), null);

/**
 * Reads the posts with their metrics. X returns non-public metrics for the last 30 days only, and may leave out older posts
 * entirely. The posts are then read again with public metrics only.
 */
async function readPosts({ http, url }: XCalls, ids: readonly string[], options: SocialCallOptions) {
  const query = (metrics: string) => ({
    ids: ids.join(','),
    'tweet.fields': metrics,
    expansions: 'attachments.media_keys',
    'media.fields': 'public_metrics',
  });
  const request = { method: 'GET', url: `${url}/2/tweets` } as const;
  const allMetrics = await http.ask({ ...request, query: query('public_metrics,non_public_metrics') }, options);
  if (allMetrics.status === 200 && listOf(allMetrics.fields['data']).length === ids.length) return allMetrics.fields;
  return (await http.call({ ...request, query: query('public_metrics') }, options)).fields;
}

/** The sum of the metrics of all parts. */
export async function xMetrics(calls: XCalls, live: LiveTarget, options: SocialCallOptions): Promise<PostMetrics> {
  const fields = await readPosts(calls, live.parts.length === 0 ? [live.externalId] : live.parts, options);
  const posts = listOf(fields['data']).map(fieldsOf);
  const publicMetrics = posts.map((post) => fieldsOf(post['public_metrics']));
  const privateMetrics = posts.map((post) => fieldsOf(post['non_public_metrics']));
  const media = listOf(fieldsOf(fields['includes'])['media']).map((one) => fieldsOf(fieldsOf(one)['public_metrics']));
  const sumOf = (list: readonly ReportFields[], name: string) => sum(list.map((one) => count(one, name)));
  return {
    impressions: sumOf(publicMetrics, 'impression_count') ?? sumOf(privateMetrics, 'impression_count'),
    reach: null,
    likes: sumOf(publicMetrics, 'like_count'),
    comments: sumOf(publicMetrics, 'reply_count'),
    shares: sum([sumOf(publicMetrics, 'retweet_count'), sumOf(publicMetrics, 'quote_count')]),
    clicks: sumOf(privateMetrics, 'url_link_clicks'),
    saves: sumOf(publicMetrics, 'bookmark_count'),
    videoViews: sumOf(media, 'view_count'),
  };
}
