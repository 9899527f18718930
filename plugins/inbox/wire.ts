// The answers of the routes. Types only and without imports, because the build of the page includes this file.

/** A message in a list, or a send of which no mail was made. */
export interface MessageItem {
  /** The send's id, which is the message's. */
  readonly id: string;
  readonly workspace: string;
  /** Why it stayed here: a sandbox key sent it, send_test did, or the mail adapter captures. */
  readonly origin: 'sandbox' | 'test' | 'live';
  readonly template: string;
  readonly to: string;
  readonly from: { readonly email: string; readonly name: string };
  readonly subject: string;
  readonly created_at: string;
  readonly unread: boolean;
  /** Whether there is a mail to open: none was made of a send that was suppressed, or that failed before. */
  readonly has_message: boolean;
  /** Bytes. */
  readonly size: number;
  /** Files, without the pictures that stand in the text. */
  readonly attachments: number;
  /** The send's; null once the send itself is gone. */
  readonly status: string | null;
}

/** A page of messages, newest first. */
export interface MessagePage {
  readonly data: readonly MessageItem[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** The number of messages in the requested workspaces, regardless of the search. */
  readonly total: number;
  /** The number of those that the search finds; `total` without one. */
  readonly matching: number;
  readonly unread: number;
}

/** A header as it was sent, decoded. */
export interface MessageHeader {
  readonly name: string;
  readonly value: string;
}

/** A link, and the text that stands on it; of a picture, its description. */
export interface MailLink {
  readonly url: string;
  readonly text: string;
}

/** A file of a message. */
export interface MessageAttachment {
  readonly index: number;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  /** Shown in the text, by its content id. */
  readonly inline: boolean;
  readonly content_id: string | null;
}

/** Something that happened to a send. */
export interface TimelineEvent {
  readonly id: string;
  readonly type: string;
  readonly ts: string;
  readonly synthetic?: boolean | undefined;
  readonly bounce?: { readonly class: string; readonly diagnostic: string } | undefined;
  readonly click?: { readonly url: string } | undefined;
  readonly reason?: string | undefined;
}

/** A send as the page shows it. */
export interface SendInfo {
  readonly id: string;
  readonly status: string;
  readonly templateKey: string;
  readonly templateVersion: number;
  readonly to: string;
  readonly from: { readonly email: string; readonly name: string };
  readonly subject: string;
  /** Of the sandbox; a test send of a live key is one, too. */
  readonly sandbox: boolean;
  readonly apiKeyId: string | null;
  readonly createdAt: string;
  readonly opens: number;
  readonly clicks: number;
  readonly events: readonly TimelineEvent[];
  readonly whyNotSent?: string | undefined;
}

/** A send that may have no message. `Send` is the type of the send. */
export interface SendDetail<Send = SendInfo> {
  readonly id: string;
  readonly workspace: string;
  /** Whether the inbox holds its message, now. */
  readonly has_message: boolean;
  /** Whether it stands in the list, with or without a message. */
  readonly listed: boolean;
  readonly unread: boolean;
  readonly send: Send;
}

/** Facts of a message's content. */
export interface MailContent {
  /** Each URL once, in reading order; those of the plain text after those of the HTML. */
  readonly links: readonly MailLink[];
  /** Hosts from which pictures, styles or fonts would be loaded. */
  readonly remote_hosts: readonly string[];
  /** Whether the message has styles for dark mode. */
  readonly dark_styles: boolean;
}

/** One message with all details. `Send` is the type of its send. */
export interface MessageDetail<Send = SendInfo> extends Omit<MessageItem, 'attachments' | 'to'>, MailContent {
  readonly to: { readonly email: string; readonly name: string };
  readonly headers: readonly MessageHeader[];
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly MessageAttachment[];
  /** The send with its timeline; null once it is gone. */
  readonly send: Send | null;
}

/** The workspaces to choose from, and details of the service. */
export interface WorkspaceList {
  readonly service: { readonly name: string; readonly slug: string; readonly environment: string };
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly has_more: boolean;
  /** Whether all of them are shown together when none is named. */
  readonly together: boolean;
}

/** A complete request for a send, except for the API key. */
export interface SendExample {
  readonly example: { readonly template: string; readonly variables: unknown } | null;
}

/** The reports that the page can make. */
export type ReportType = 'delivered' | 'soft_bounce' | 'hard_bounce' | 'complaint' | 'open' | 'click';

/** The result of a report. */
export interface ReportAnswer {
  /** False when the timeline held it already. */
  readonly recorded: boolean;
  readonly status: string;
}
