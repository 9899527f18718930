// What the audit names of a contact that was resolved, beside its id. Used by operations, by the service and by batches.

/** Metadata of the entry about the contact `id`: whether it was made, and whose address it took. */
export const notesOf = (
  id: string,
  { created, movedFrom }: { readonly created: boolean; readonly movedFrom: string | undefined },
): Record<string, string | boolean> => ({
  ...(created ? { created: true } : {}),
  ...(movedFrom === undefined ? {} : { email_moved_from: movedFrom, email_moved_to: id }),
});
