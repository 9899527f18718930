// Adds a send without a mail to the development inbox, if its mail would have stayed there. Called when the send ends.
import type { TransactionContext } from '../../../core/index.ts';
import type { SendRow } from '../tables.ts';
import { hasPseudonym } from './record.ts';

/** Whether the mail of the send would have stayed in the process. */
function staysInProcess({ ports, workspace }: TransactionContext, { sandbox, provider }: SendRow): boolean {
  const adapter = ports.mail.known(workspace.id);
  return sandbox || (adapter?.capabilities.captures === true && adapter.id === provider);
}

/** Adds the send to the inbox, unless its mail would have left the process or its recipient was erased. */
export function listSendWithoutMail(ctx: TransactionContext, send: SendRow): void {
  if (!staysInProcess(ctx, send) || hasPseudonym(send)) return;
  const { id, template_key: templateKey, to_address: email, from_email: from, from_name: name, subject } = send;
  const origin = send.test ? 'test' : send.sandbox ? 'sandbox' : 'live';
  ctx.services.inbox?.list(ctx, {
    send: { id, templateKey, origin },
    from: { email: from, name },
    to: { email },
    subject,
  });
}
