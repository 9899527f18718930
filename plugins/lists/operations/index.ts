import { addListMembers } from './add-members.ts';
import { createList } from './create-list.ts';
import { deleteList } from './delete-list.ts';
import { listLists } from './list-lists.ts';
import { listMembers } from './list-members.ts';
import { listTrappedForms } from './list-trapped-forms.ts';
import { readList } from './read-list.ts';
import { removeListMembers } from './remove-members.ts';
import { updateList } from './update-list.ts';

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
