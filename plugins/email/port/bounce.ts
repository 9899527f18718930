// The details of a bounce, in the service's own format. Part of the mail port and of the port of provider reports.

/** The details of a bounce: its class, and the reason if the receiving server gave one. */
export interface BounceDetails {
  readonly class: 'hard' | 'soft' | 'undetermined';
  readonly subType:
    | 'general'
    | 'no_mailbox'
    | 'mailbox_full'
    | 'message_too_large'
    | 'content_rejected'
    | 'attachment_rejected'
    | 'policy'
    | 'dns_failure'
    | 'auto_reply';
  readonly smtpCode?: number;
  /** RFC 3463, such as 5.1.1. */
  readonly enhancedCode?: string;
  /** The server's response text, at most 500 characters. */
  readonly diagnostic: string;
}
