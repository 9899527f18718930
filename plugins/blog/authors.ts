// The author of a post: a member of the workspace in the program's own directory. Called outside any transaction.
import { coreErrors, type WorkspaceContext } from '../../core/index.ts';

/** The author of a post. */
export interface Author {
  readonly uid: string;
  readonly name: string;
}

/** Finds the member; undefined if the directory has no member with this uid. */
export async function findAuthor({ ports, workspace }: WorkspaceContext, uid: string): Promise<Author | undefined> {
  const member = (await ports.members.list(workspace.id)).find((member) => member.uid === uid);
  return member === undefined ? undefined : { uid, name: member.name };
}

/** @throws validation_failed */
export async function checkAuthor(context: WorkspaceContext, uid: string | null | undefined): Promise<void> {
  if (uid === null || uid === undefined || (await findAuthor(context, uid)) !== undefined) return;
  const message = 'No member of the workspace has this uid. GET /v1/workspace/members lists its members.';
  throw coreErrors.validation_failed(
    { summary: `authorUid: ${message}` },
    { details: [{ path: 'authorUid', code: 'unknown', message }] },
  );
}
