// The details of a bounce, in the service's own format. Part of the mail port and of the port of provider reports.

export const bounceClasses = ['hard', 'soft', 'undetermined'] as const;

export const bounceSubTypes = [
  'general',
  'no_mailbox',
  'mailbox_full',
  'message_too_large',
  'content_rejected',
  'attachment_rejected',
  'policy',
  'dns_failure',
  'auto_reply',
] as const;

/** The details of a bounce: its class, and the reason if the receiving server gave one. */
export interface BounceDetails {
  readonly class: (typeof bounceClasses)[number];
  readonly subType: (typeof bounceSubTypes)[number];
  readonly smtpCode?: number;
  /** RFC 3463, such as 5.1.1. */
  readonly enhancedCode?: string;
  /** The server's response text, at most 500 characters. */
  readonly diagnostic: string;
}

/**
 * Whether a server temporarily refuses mail of an unknown sender. Such a refusal says nothing about the mailbox, so it counts
 * neither as a hard nor as a soft bounce.
 */
export const isGreylisting = (diagnostic: string): boolean =>
  /\bgr[ae]y-?\s?list|\bpostgrey\b|\bplease (?:re)?try (?:again )?in \d/i.test(diagnostic);
