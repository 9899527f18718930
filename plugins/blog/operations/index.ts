// The operations of the plugin, in the order of the reference.
import { createPostOperation } from './create-post.ts';
import { deletePost } from './delete-post.ts';
import { listPosts } from './list-posts.ts';
import { publishPost } from './publish-post.ts';
import { readPost } from './read-post.ts';
import { unpublishPost } from './unpublish-post.ts';
import { updatePost } from './update-post.ts';

export const operations = [
  listPosts,
  readPost,
  createPostOperation,
  updatePost,
  publishPost,
  unpublishPost,
  deletePost,
] as const;
