/** The kinds of content that become public. Every workspace has a policy for each kind. */
export const contentKindIds = [
  'social_post',
  'email_template',
  'page',
  'blog_post',
  'sequence',
  'creation_strategy',
  'broadcast',
] as const;
