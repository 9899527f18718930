// Shows a send of which no mail is made in the development inbox, among the mail that stayed there. Called by what ends the send.
import type { Effects, ServiceSurface } from '../../core/index.ts';
import type { SendRow } from './tables.ts';
import { isErased } from './timeline.ts';

/** Whether the mail of the send would have stayed in the process. */
function wouldStay({ ports, workspace }: Surface, { sandbox, provider }: SendRow): boolean {
  const adapter = ports.mail.known(workspace.id);
  return sandbox || (adapter?.capabilities.captures === true && adapter.id === provider);
}

type Surface = Pick<ServiceSurface, 'services' | 'ports'> & Pick<Effects, 'workspace'>;

/** Lists the send, unless its mail would have left the process or its recipient was erased. */
export function listMailless(surface: Surface, effects: Effects, send: SendRow): void {
  if (!wouldStay(surface, send) || isErased(send)) return;
  const { id, template_key: templateKey, to_address: email, from_email: from, from_name: name, subject } = send;
  const origin = send.test ? 'test' : send.sandbox ? 'sandbox' : 'live';
  surface.services.inbox?.list(effects, {
    send: { id, templateKey, origin },
    from: { email: from, name },
    to: { email },
    subject,
  });
}
