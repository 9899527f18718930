// Whether a member still belongs to a workspace, according to the program's own directory. Checked at each call and each refresh.
import type { Member, ServiceContext } from '../../core/index.ts';

/** The member; undefined if the workspace's directory no longer contains them. */
export async function findMember(
  { ports }: ServiceContext,
  workspaceId: string,
  uid: string,
): Promise<Member | undefined> {
  const members = await ports.members.list(workspaceId);
  return members.find((member) => member.uid === uid);
}
