import { createPostOperation } from './create-post.ts';
import { deletePostOperation } from './delete-post.ts';
import { listPosts } from './list-posts.ts';
import { publishPost } from './publish-post.ts';
import { readPost } from './read-post.ts';
import { schedulePost } from './schedule-post.ts';
import { updatePost } from './update-post.ts';

export const operations = [
  listPosts,
  readPost,
  createPostOperation,
  updatePost,
  schedulePost,
  publishPost,
  deletePostOperation,
] as const;
