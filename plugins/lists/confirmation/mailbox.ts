// The mailbox of an address with a tag. Pure. Used for the limits of mail that forms ask for.

/** A normalised address without its tag (RFC 5233): `ada+news@example.com` becomes `ada@example.com`. */
export function mailboxOf(email: string): string {
  const [at, plus] = [email.lastIndexOf('@'), email.indexOf('+')];
  return plus > 0 && plus < at ? `${email.slice(0, plus)}${email.slice(at)}` : email;
}
