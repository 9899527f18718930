/** What becomes public, by kind. Every workspace has a policy for each. */
export const surfaceKinds = [
  'social_post',
  'email_template',
  'page',
  'blog_post',
  'sequence',
  'creation_strategy',
] as const;
