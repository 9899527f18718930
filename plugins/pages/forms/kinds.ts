// The job kinds of forms.

/** Asks the address of a submission to confirm. */
export const askToConfirmKind = 'pages.ask_to_confirm';
/** Mails the lead magnet of a form. */
export const mailGiftKind = 'pages.give';
