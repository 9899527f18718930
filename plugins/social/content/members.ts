// The assignee of a hold: a member of the workspace.
import { coreErrors, type PrepareContext } from '../../../core/index.ts';

/** @throws validation_failed if the directory of members does not contain the uid */
export async function checkMember({ ports, workspace }: PrepareContext, uid: string): Promise<void> {
  const members = await ports.members.list(workspace.id);
  if (members.some((member) => member.uid === uid)) return;
  const message = `The workspace has no member ${uid}.`;
  throw coreErrors.validation_failed(
    { summary: `assigneeUid: ${message}` },
    { details: [{ path: 'assigneeUid', code: 'unknown', message }] },
  );
}
