// The kinds of jobs of lists, and how much one of them does.

/** Asks some members of a list to confirm. */
export const askMembersKind = 'lists.ask_members';
/** Asks one address to confirm, for a form. */
export const askAddressKind = 'lists.ask_address';
/** Removes members that did not confirm in time. */
export const removeUnconfirmedKind = 'lists.remove_unconfirmed';
/** Removes the memberships of a list that was deleted. */
export const removeListKind = 'lists.remove_members';

/** How many members one job asks: each is a send, in one transaction. */
export const asksAtOnce = 200;
