// What authors write, checked: contracts, themes, the compiled working copy. Called by the authoring operations.
import type { ErrorDetail } from '../../core/index.ts';
import { coreErrors } from '../../core/index.ts';
import type { Contract } from './contract/schema.ts';
import { checkContract, inferContract, missingPlaceholders } from './contract/schema.ts';
import { errors } from './errors.ts';
import { compileMail } from './language/compile.ts';
import type { TemplateRow } from './tables.ts';

/** A working copy ready to be frozen. */
export interface CompiledWorkingCopy {
  readonly html: string;
  readonly text: string;
  readonly subject: string;
  readonly previewText: string;
  readonly contract: Contract;
}

/** Somebody else changed the template between our reading and our writing. */
export const changedMeanwhile = (key: string) =>
  coreErrors.state_conflict({ reason: `The template ${key} was changed at the same moment. Read it again and retry.` });

/** Themes come with brands; until then no workspace has one. @throws theme_not_found */
export function requireTheme(themeId: string | null | undefined): void {
  if (themeId !== undefined && themeId !== null) throw errors.theme_not_found({ id: themeId });
}

function refuse(details: readonly ErrorDetail[]): never {
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  throw errors.template_invalid({ summary: `${first?.path}: ${first?.message}${more}` }, { details });
}

/** The author's contract in its checked form. @throws template_invalid naming each keyword that is not supported */
export function checkAuthoredContract(
  variables: Readonly<Record<string, unknown>> | null | undefined,
): Contract | undefined {
  if (variables === null || variables === undefined) return undefined;
  const checked = checkContract(variables);
  if (checked.ok) return checked.contract;
  return refuse(checked.faults.map(({ path, code, message }) => ({ path, code, message })));
}

/** Compiles the working copy and holds its placeholders against its contract. @throws template_invalid by line */
export async function compileWorkingCopy(
  row: Pick<TemplateRow, 'mode' | 'body' | 'text_part' | 'subject' | 'preview_text' | 'variables'>,
): Promise<CompiledWorkingCopy> {
  const result = await compileMail({
    mode: row.mode,
    body: row.body,
    text: row.text_part,
    subject: row.subject,
    previewText: row.preview_text,
  });
  if (!result.ok) {
    return refuse(
      result.faults.map(({ path, line, code, message }) => ({
        path: line === undefined ? path : `${path}:${line}`,
        code,
        message,
      })),
    );
  }
  const { html, text, subject, previewText, placeholders } = result.mail;
  const authored = checkAuthoredContract(
    row.variables === null ? null : (JSON.parse(row.variables) as Record<string, unknown>),
  );
  const contract = authored ?? inferContract(placeholders);
  // Once each, where it stands first: a placeholder of the body comes again in the text part derived from it.
  const missing = new Map<string, number>();
  for (const { path, line } of missingPlaceholders(contract, placeholders)) {
    const name = path.join('.');
    if (!missing.has(name)) missing.set(name, line);
  }
  if (missing.size > 0) {
    refuse(
      [...missing].map(([name, line]) => ({
        path: `variables.${name}`,
        code: 'placeholder_undeclared',
        message: `Line ${line} reads ${name}, which the contract does not declare.`,
      })),
    );
  }
  return { html, text, subject, previewText, contract };
}
