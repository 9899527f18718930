// The last test of a broadcast, as it is stored.

/** The parts of a mail that are compared. `brand`: the brand in whose style the mail is, with its postal address. */
export const partNames = [
  'templateKey',
  'templateVersion',
  'variables',
  'from',
  'replyTo',
  'topicKey',
  'utm',
  'experiment',
  'brand',
] as const;
export type PartName = (typeof partNames)[number];

/** A test that was sent. */
export interface TestedMail {
  /** In milliseconds. */
  readonly at: number;
  readonly hashes: Readonly<Record<PartName, string>>;
}
