// The program's own people, asked in jobs: no call of theirs is trusted to end, to answer what it should, or to be there.
// `ctx.services.contactSource`, where the program composed one.
import type { ServiceSurface } from '../../core/index.ts';
import { personReference, z } from '../../core/index.ts';
import type { ContactSource, SourceContact } from './options.ts';
import type { ContactPatch } from './resolution.ts';
import { attributeChanges } from './schema.ts';

/** `ctx.services.contactSource`. */
export interface ContactSourceService {
  readonly source: ContactSource;
  readonly timeoutMs: number;
}

/** Asks the source for one contact (jobs/fill-contact.ts). */
export const fillJobKind = 'contacts.fill';

const sourceContact = z.object({
  external_id: personReference.external_id.unwrap(),
  email: personReference.email,
  attributes: attributeChanges.optional(),
});

/** What somebody's call answers, unless it takes too long or the job ends. @throws whatever it throws, Error */
export async function inTime<T>(
  call: (options: { readonly signal: AbortSignal }) => Promise<T>,
  timeoutMs: number,
  stopped: AbortSignal,
): Promise<T> {
  const late = new AbortController();
  const signal = AbortSignal.any([late.signal, stopped]);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const timer = setTimeout(
    () => late.abort(new Error(`The source of contacts did not answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    return await Promise.race([call({ signal }), ended]);
  } finally {
    clearTimeout(timer);
  }
}

/** Tells of a person whom the source names and who cannot be stored as said; never of what was said. */
export function tellUnstored(
  { log }: ServiceSurface,
  workspaceId: string,
  field: string | undefined,
  cause: string | undefined,
): void {
  log.warn({ workspace_id: workspaceId, field, cause }, 'the source of contacts answered one that cannot be stored');
}

/** The answers of a source as patches. Invalid ones are logged and left out. */
export function patchesOf(
  surface: ServiceSurface,
  workspaceId: string,
  contacts: readonly SourceContact[],
): ContactPatch[] {
  return contacts.flatMap((given) => {
    const { success, data, error } = sourceContact.safeParse(given);
    if (success) {
      const { attributes, ...reference } = data;
      return [{ reference, attributes, respell: true }];
    }
    const [issue] = error.issues;
    tellUnstored(surface, workspaceId, issue?.path.join('.'), issue?.message);
    return [];
  });
}
