import { addListMembers } from './add-members.ts';
import { deleteList } from './delete-list.ts';
import { listMembers } from './list-members.ts';
import { listTrappedForms } from './list-trapped-forms.ts';
import { createList, listLists, readList, updateList } from './lists.ts';
import { removeListMembers } from './remove-members.ts';

export const operations = [
  listLists,
  readList,
  createList,
  updateList,
  deleteList,
  listMembers,
  listTrappedForms,
  addListMembers,
  removeListMembers,
] as const;
