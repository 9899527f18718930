// The declaration of the port. The embedded source has no news.
import { definePort } from '../../../core/index.ts';
import type { NewsSource } from './index.ts';

/** The id of the embedded source: no job is queued for it. */
export const noNews = 'none';

export const newsSource = definePort<NewsSource>({
  description: 'Tells the market news of a workspace.',
  methods: ['latest'],
  suite: 'newsSourceSuite of postrider/plugins/content-plan/testing',
  default: () => ({ id: noNews, latest: async () => [] }),
});

declare module '../../../core/contract/open.ts' {
  interface Ports {
    newsSource: { plugin: 'content-plan'; adapter: NewsSource };
  }
}
