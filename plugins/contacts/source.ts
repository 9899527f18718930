// Calls the program's own source of contacts, from jobs only. Its code may hang, fail or return invalid data.
// `ctx.services.contactSource`, present if the program configured a source.
import { personReference, type ServiceContext, z } from '../../core/index.ts';
import { checkValue } from '../../core/unstable.ts';
import type { ContactSource, SourceContact } from './options.ts';
import type { ContactPatch } from './resolution-rules.ts';
import { attributeChanges } from './schema.ts';

/** `ctx.services.contactSource`. */
export interface ContactSourceService {
  readonly source: ContactSource;
  readonly timeoutMs: number;
}

/** The job kind that reads one contact from the source. */
export const fillJobKind = 'contacts.fill';

const sourceContact = z.object({
  external_id: personReference.external_id.unwrap(),
  email: personReference.email,
  attributes: attributeChanges.optional(),
});

/** Runs a call of the source with a time limit. The end of the job aborts it too. @throws the call's error, or a timeout */
export async function withTimeLimit<T>(
  call: (options: { readonly signal: AbortSignal }) => Promise<T>,
  timeoutMs: number,
  stopped: AbortSignal,
): Promise<T> {
  const late = new AbortController();
  const signal = AbortSignal.any([late.signal, stopped]);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const timer = setTimeout(
    () => late.abort(new Error(`The source of contacts did not answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    return await Promise.race([call({ signal }), aborted]);
  } finally {
    clearTimeout(timer);
  }
}

/** Logs that a contact of the source cannot be stored. The line never contains the contact's data. */
export function logInvalidContact(
  { log }: ServiceContext,
  workspaceId: string,
  field: string | undefined,
  cause: string | undefined,
): void {
  log.warn(
    { workspace_id: workspaceId, field, cause },
    'the source of contacts returned a contact that cannot be stored',
  );
}

/** Converts the results of a source to patches. Logs and skips invalid ones. */
export function patchesOf(
  context: ServiceContext,
  workspaceId: string,
  contacts: readonly SourceContact[],
): ContactPatch[] {
  return contacts.flatMap((contact) => {
    const checked = checkValue(sourceContact, contact, 'The contact');
    if (checked.ok) {
      const { attributes, ...reference } = checked.data;
      return [{ reference, attributes, respell: true }];
    }
    const [fault] = checked.faults;
    logInvalidContact(context, workspaceId, fault?.path, fault?.message);
    return [];
  });
}
