// The responses of the routes. Types only and without imports, because the build of the page includes this file.

/** A message in a list, or a send without a mail. */
export interface MessageItem {
  /** The id of the send, which is also the id of the message. */
  readonly id: string;
  readonly workspace: string;
  /** The reason why the message stayed in the process: a sandbox key sent it, send_test did, or the mail adapter captures. */
  readonly origin: 'sandbox' | 'test' | 'live';
  readonly template: string;
  readonly to: string;
  readonly from: { readonly email: string; readonly name: string };
  readonly subject: string;
  readonly created_at: string;
  readonly unread: boolean;
  /** Whether there is a mail to open. A send that was suppressed, or failed before its mail was made, has no mail. */
  readonly has_message: boolean;
  /** In bytes. */
  readonly size: number;
  /** The number of attached files, without pictures that are shown in the text. */
  readonly attachments: number;
  /** The status of the send; null if the send has been deleted. */
  readonly status: string | null;
}

/** A page of messages, newest first. */
export interface MessagePage {
  readonly data: readonly MessageItem[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** The number of messages in the requested workspaces, regardless of the search. */
  readonly total: number;
  /** The number of messages that the search finds; `total` without a search. */
  readonly matching: number;
  readonly unread: number;
}

/** A header as it was sent, decoded. */
export interface MessageHeader {
  readonly name: string;
  readonly value: string;
}

/** A link and its text. For a picture, the text is its description. */
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
export interface SendTimelineEvent {
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
  /** Whether the send is a sandbox send. A test send of a live key counts as one. */
  readonly sandbox: boolean;
  readonly apiKeyId: string | null;
  readonly createdAt: string;
  readonly opens: number;
  readonly clicks: number;
  readonly events: readonly SendTimelineEvent[];
  readonly whyNotSent?: string | undefined;
}

/** A send that may have no message. `Send` is the type of the send. */
export interface SendDetail<Send = SendInfo> {
  readonly id: string;
  readonly workspace: string;
  /** Whether the inbox contains the message of the send now. */
  readonly has_message: boolean;
  /** Whether the list contains the send, with or without a message. */
  readonly listed: boolean;
  readonly unread: boolean;
  readonly send: Send;
}

/** Facts of a message's content. */
export interface MailFacts {
  /** Each URL once, in reading order. URLs of the plain text follow those of the HTML. */
  readonly links: readonly MailLink[];
  /** Hosts from which pictures, styles or fonts would be loaded. */
  readonly remote_hosts: readonly string[];
  /** Whether the message has styles for dark mode. */
  readonly dark_styles: boolean;
}

/** One message with all details. `Send` is the type of its send. */
export interface MessageDetail<Send = SendInfo> extends Omit<MessageItem, 'attachments' | 'to'>, MailFacts {
  readonly to: { readonly email: string; readonly name: string };
  readonly headers: readonly MessageHeader[];
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly MessageAttachment[];
  /** The send with its timeline; null if the send has been deleted. */
  readonly send: Send | null;
}

/** The workspaces to choose from, and details of the service. */
export interface InboxWorkspaceList {
  readonly service: { readonly name: string; readonly slug: string; readonly environment: string };
  /** The address of the console, relative to the inbox; null if there is none. */
  readonly console: string | null;
  readonly data: readonly {
    readonly id: string;
    readonly name: string;
    /** Whether the visitor may delete messages and report about them. */
    readonly may_change: boolean;
  }[];
  readonly has_more: boolean;
  /** Whether all workspaces are shown together if a request does not name a workspace. */
  readonly together: boolean;
}

/** A complete request for a send, except for the API key. */
export interface SendExample {
  readonly example: { readonly template: string; readonly variables: unknown } | null;
}

/** The reports that the page can simulate. */
export type ReportType = 'delivered' | 'soft_bounce' | 'hard_bounce' | 'complaint' | 'open' | 'click';

/** The result of a report. */
export interface ReportResponse {
  /** False if the timeline already contained it. */
  readonly recorded: boolean;
  readonly status: string;
}
