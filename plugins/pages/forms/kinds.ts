// The kinds of jobs of forms.

/** Asks the address of a submission to confirm. */
export const askKind = 'pages.ask_to_confirm';
/** Mails what a form gives away. */
export const giveKind = 'pages.give';
