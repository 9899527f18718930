// Tells an agent, before the answer of a call, that the post cannot go out as it is. Called for tools that write posts.
import type { SocialPost } from '../resources.ts';

/** Names the problems of a stored post, of which the call refuses none; undefined without any. */
export function problemsNotice(answer: unknown): string | undefined {
  const { problems = [] } = answer as Partial<SocialPost>;
  if (problems.length === 0) return undefined;
  const named = problems.map(({ path, message }) => `${path}: ${message}`).join(' ');
  return `The post cannot go out as it is. ${named}`;
}
