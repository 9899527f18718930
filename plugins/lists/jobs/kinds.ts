// The kinds of jobs of lists, and the batch size of one kind.

/** Sends confirmation mails to some members of a list. */
export const sendMemberConfirmationsKind = 'lists.ask_members';
/** Sends a confirmation mail to one address, for a form. */
export const sendFormConfirmationKind = 'lists.ask_address';
/** Removes members who did not confirm in time. */
export const removeUnconfirmedKind = 'lists.remove_unconfirmed';
/** Removes the memberships of a deleted list. */
export const removeListKind = 'lists.remove_members';

/** The maximum number of members to whom one job sends mail. All these sends are in one transaction. */
export const askBatchSize = 200;
