import { listMembers } from './list-members.ts';
import { readWorkspace } from './read-workspace.ts';

export const operations = [readWorkspace, listMembers] as const;
