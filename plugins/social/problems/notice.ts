// The notice that an agent reads before the answer of a call if the post cannot be published as it is. Called for tools that
// write posts.
import type { SocialPost } from '../resources.ts';

/** A sentence that lists the problems of the stored post; undefined if it has none. The call itself succeeds. */
export function problemsNotice(response: unknown): string | undefined {
  const { problems = [] } = response as Partial<SocialPost>;
  if (problems.length === 0) return undefined;
  const problemList = problems.map(({ path, message }) => `${path}: ${message}`).join(' ');
  return `The post cannot go out as it is. ${problemList}`;
}
