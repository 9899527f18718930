// The whole state of the page, and its address, so that each selection can be linked to.
import { pageBase, urlOf } from '../../../core/pages/browser/api.ts';
import type { NoticeText } from '../../../core/pages/browser/notice.ts';
import type { ConsoleDelivery, ConsoleWebhook, WebhooksWorkspaceList } from '../console/wire.ts';

/** The statuses to filter by; empty for all. */
export const statuses = ['', 'pending', 'delivered', 'failed'] as const;

export type StatusFilter = (typeof statuses)[number];

/** The parts of an address. */
export interface WebhookSelection {
  readonly workspace: string;
  readonly webhook: string;
  readonly status: StatusFilter;
  readonly event: string;
  /** The expanded delivery. */
  readonly delivery: string;
}

export interface WebhooksState extends WebhookSelection {
  readonly workspaces: WebhooksWorkspaceList | undefined;
  readonly webhooks: readonly ConsoleWebhook[] | undefined;
  readonly deliveries: readonly ConsoleDelivery[] | undefined;
  readonly cursor: string | null;
  /** Whether the shown deliveries are the results of the previous search. */
  readonly isOutdated: boolean;
  /** The body of the expanded delivery, or the reason why it is missing. */
  readonly body: { readonly of: string; readonly text: string } | undefined;
  readonly online: boolean;
  /** The reason why nothing can be shown. */
  readonly refusal: string | undefined;
  readonly notice: NoticeText | undefined;
}

/** The chosen webhook; undefined if no webhook is chosen, or if no webhook has the id in the address. */
export const chosenOf = ({ webhooks, webhook }: WebhooksState): ConsoleWebhook | undefined =>
  webhooks?.find(({ id }) => id === webhook);

const isStatus = (text: string): text is StatusFilter => (statuses as readonly string[]).includes(text);

export function readAddress(href: string): WebhookSelection {
  const { searchParams } = new URL(href);
  const value = (name: string): string => searchParams.get(name) ?? '';
  const status = value('status');
  return {
    workspace: value('workspace'),
    webhook: value('webhook'),
    status: isStatus(status) ? status : '',
    event: value('event'),
    delivery: value('delivery'),
  };
}

/** The address of a selection. Empty values are left out. */
export const addressOf = ({ workspace, webhook, status, event, delivery }: WebhookSelection): string =>
  urlOf(pageBase.href, { workspace, webhook, status, event, delivery });

export const emptyState: WebhooksState = {
  ...readAddress(pageBase.href),
  workspaces: undefined,
  webhooks: undefined,
  deliveries: undefined,
  cursor: null,
  isOutdated: false,
  body: undefined,
  online: true,
  refusal: undefined,
  notice: undefined,
};
