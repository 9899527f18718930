import { createPostOperation } from './create-post.ts';
import { deletePostOperation } from './delete-post.ts';
import { listNetworks } from './list-networks.ts';
import { listPosts } from './list-posts.ts';
import { publishPost } from './publish-post.ts';
import { readAnalytics } from './read-analytics.ts';
import { readPost } from './read-post.ts';
import { refreshNetworks } from './refresh-networks.ts';
import { schedulePost } from './schedule-post.ts';
import { updatePost } from './update-post.ts';

export const operations = [
  listNetworks,
  refreshNetworks,
  listPosts,
  readPost,
  createPostOperation,
  updatePost,
  schedulePost,
  publishPost,
  deletePostOperation,
  readAnalytics,
] as const;
