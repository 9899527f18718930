// The audit metadata of a resolved contact. Used by operations, by the service and by batches.

/** Metadata of the audit entry for the contact `id`: whether it was created, and which contact gave up its address to it. */
export const notesOf = (
  id: string,
  { created, movedFrom }: { readonly created: boolean; readonly movedFrom: string | undefined },
): Record<string, string | boolean> => ({
  ...(created ? { created: true } : {}),
  ...(movedFrom === undefined ? {} : { email_moved_from: movedFrom, email_moved_to: id }),
});
