// The answer of a composer, and its checks: the checks of any authored template, against a contract that the composer
// did not choose.
import { coreErrors, isPostriderError, z } from '../../../core/index.ts';
import { lineFault } from '../../../core/unstable.ts';
import { type Compiling, compileWorkingCopy } from '../authoring/authoring.ts';
import { BODY_LIMIT, LINE_LIMIT } from '../language/limits.ts';
import { missingLinks } from '../rendering/unsubscribe-link.ts';
import { foreignPictures } from './foreign-pictures.ts';
import type { MailComposeInput } from './instructions.ts';

/** Strict: an answer with additional fields, such as recipients, headers or variables, is refused as a whole. */
export const replySchema = z.strictObject({
  name: z.string().min(1).max(200).describe('The name of the template in lists.'),
  subject: z.string().min(1).max(LINE_LIMIT).describe('One line. Liquid.'),
  previewText: z.string().max(LINE_LIMIT).describe('What mail programs show beside the subject. One line. Liquid.'),
  body: z.string().min(1).max(BODY_LIMIT).describe('The whole source in the mode of the template.'),
  text: z.string().min(1).max(BODY_LIMIT).describe('The plain-text part. Liquid.'),
});

export type ComposedMail = z.output<typeof replySchema>;

/** Returns the faults of an answer. @throws compiler_missing, compiler_busy */
export async function replyFaults(
  by: Compiling,
  { name, subject, previewText, body, text }: ComposedMail,
  { mode, category, variables, logoUrl }: Pick<MailComposeInput, 'mode' | 'category' | 'variables' | 'logoUrl'>,
): Promise<readonly string[]> {
  const lines = { name, subject, previewText };
  const broken = Object.entries(lines).flatMap(([field, line]) => {
    const fault = lineFault(line);
    return fault === undefined ? [] : [`${field}: ${fault}`];
  });
  if (broken.length > 0) return broken;
  const pictures = foreignPictures(body, logoUrl);
  if (pictures.length > 0) return pictures;
  const working = {
    kind: null,
    ...{ mode, subject, preview_text: previewText, body, text_part: text },
    variables: JSON.stringify(variables),
    ...{ locale: null, locales: null },
  };
  try {
    const { contents } = await compileWorkingCopy(by, working, undefined);
    const unlinked = category === 'marketing' ? contents.flatMap((content) => missingLinks(content)) : [];
    return unlinked.map(({ path, message }) => `${path}: ${message}`);
  } catch (error) {
    if (!isPostriderError(error, 'template_invalid')) throw error;
    return error.details?.map(({ path, message }) => `${path}: ${message}`) ?? [error.message];
  }
}

/** The error if the template of the embedded composer cannot be used. */
export const composeFailed = () => coreErrors.compose_failed({ what: 'the template' });
