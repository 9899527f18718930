/** Shown in place of a value that only its receiver may see, such as a code in a mail. */
export const hiddenValue = '••••';
