// The list of messages: days, rows, and the text shown when there are no messages.
import { useEffect, useRef } from 'preact/hooks';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { MessageItem } from '../wire.ts';
import { addressOf } from './address.ts';
import type { InboxController } from './controller.ts';
import { dayOf, statusOf, timeOf, wholeTimeOf } from './format.ts';
import { Icon } from './icons.ts';
import { ServerUnreachable, Status } from './shared-parts.ts';
import type { InboxState } from './state.ts';

interface RowProps {
  readonly item: MessageItem;
  readonly current: boolean;
  readonly arrived: boolean;
  readonly href: string;
  /** The name of the workspace, shown where messages of several workspaces are listed together. */
  readonly workspace: string | undefined;
  /** Whether Tab stops here: the list has one such row, and arrow keys reach the others. */
  readonly tabStop: boolean;
  readonly onShow: () => void;
}

/** Whether a click opens another tab or window. */
const isElsewhere = ({ ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean =>
  ctrlKey || metaKey || shiftKey || button !== 0;

function Row({ item, current, arrived, href, workspace, tabStop, onShow }: RowProps): Markup {
  const click = (event: MouseEvent): void => {
    if (isElsewhere(event)) return;
    event.preventDefault();
    onShow();
  };
  return html`
    <li>
      <a
        id=${`row-${item.id}`}
        class=${`row${item.unread ? ' unread' : ''}${arrived ? ' arrived' : ''}`}
        href=${href}
        aria-current=${current ? 'true' : null}
        tabindex=${tabStop ? null : -1}
        onClick=${click}
      >
        <span class="dot" aria-hidden="true"></span>
        <span class="row-line">
          <span class="row-subject">${item.unread ? html`<span class="unseen">Unread. </span>` : null}<bdi>${item.subject || '(no subject)'}</bdi></span>${' '}
          <time datetime=${item.created_at} title=${wholeTimeOf(item.created_at)}>${timeOf(item.created_at)}</time>
        </span>${' '}
        <span class="row-line">
          <span class="row-to">${item.to}${workspace === undefined ? null : html`<span class="row-workspace">${workspace}</span>`}</span>${' '}
          <span class="row-marks">
            ${item.attachments > 0 ? html`<span title="Has files"><${Icon} name="clip" /><span class="unseen">Has files.</span></span> ` : null}
            ${item.origin === 'live' ? html`<span class="tag live">live</span> ` : null}
            <${Status} ...${statusOf(item.status)} />
          </span>
        </span>
      </a>
    </li>
  `;
}

/** Messages grouped by day, in their given order. */
function byDay(items: readonly MessageItem[]): [string, MessageItem[]][] {
  const days = new Map<string, MessageItem[]>();
  for (const item of items) {
    const day = dayOf(item.created_at);
    const known = days.get(day);
    if (known === undefined) days.set(day, [item]);
    else known.push(item);
  }
  return [...days];
}

function Rows({ state, controller }: { readonly state: InboxState; readonly controller: InboxController }): Markup {
  const { items = [], workspaces, workspace } = state;
  const several = workspace === '' && (workspaces?.data.length ?? 0) > 1;
  const listed = (id: string | undefined): boolean => items.some((item) => item.id === id);
  const stop = [state.open?.id, state.stepped].find(listed) ?? items[0]?.id;
  const names = new Map(workspaces?.data.map(({ id, name }) => [id, name]));
  return byDay(items).map(
    ([day, some]) => html`
      <section key=${day}>
        <h2 class="day">${day}</h2>
        <ul>
          ${some.map(
            (item) => html`
              <${Row}
                key=${item.id}
                item=${item}
                current=${state.open?.id === item.id}
                arrived=${state.arrived.has(item.id)}
                href=${addressOf({ ...state, open: item })}
                tabStop=${item.id === stop}
                workspace=${several ? (names.get(item.workspace) ?? item.workspace) : undefined}
                onShow=${() => controller.show(item)}
              />
            `,
          )}
        </ul>
      </section>
    `,
  ) as Markup;
}

/** The list in its scrolling container. */
export function MessageList({
  state,
  controller,
}: {
  readonly state: InboxState;
  readonly controller: InboxController;
}): Markup {
  const place = useRef<HTMLDivElement>(null);
  const { items, stepped, cursor, query } = state;
  const openId = state.open?.id;

  useEffect(() => {
    if (stepped === undefined) return;
    const row = document.getElementById(`row-${stepped}`) ?? place.current;
    row?.focus({ preventScroll: true });
    // This effect also runs when a message is closed, because the message that is removed may have the focus.
  }, [stepped, openId]);
  const isListed = items?.some(({ id }) => id === openId) === true;
  useEffect(() => {
    if (isListed) document.getElementById(`row-${openId}`)?.scrollIntoView({ block: 'nearest' });
  }, [openId, isListed]);

  const scroll = (): void => {
    const { current } = place;
    if (current !== null && current.scrollHeight - current.scrollTop - current.clientHeight < 600)
      controller.loadMore();
  };

  return html`
    <nav class="list" aria-label="Messages" tabindex="-1" ref=${place} onScroll=${scroll}>
      ${state.online ? null : html`<${ServerUnreachable} />`}
      ${items === undefined && state.online ? html`<p class="hush" aria-busy="true">Looking for messages …</p>` : null}
      ${
        items?.length === 0 && query !== ''
          ? html`
            <div class="nothing">
              <p>Nothing matches <b>${query}</b>.</p>
              <button type="button" class="button" onClick=${() => controller.search('')}>Show all messages</button>
            </div>
          `
          : null
      }
      ${items?.length === 0 && query === '' ? html`<p class="hush">No messages yet.</p>` : null}
      <${Rows} state=${state} controller=${controller} />
      ${cursor === null ? null : html`<button type="button" class="button more" disabled=${state.busy} onClick=${controller.loadMore}>Show older messages</button>`}
    </nav>
  `;
}
