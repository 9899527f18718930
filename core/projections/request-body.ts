// The body of a request to a public route, in every form that its handler may need. Read only once. Called by the
// kernel's public routes.

import type { PublicRequest } from '../contract/declaration/public-route.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { HttpRequest } from '../contract/http/http.ts';
import { validationFailed } from '../pipeline/validate.ts';
import { anyJson, isParsed, mediaTypeOf, readBytes, readJsonBody, unsupportedType } from './body.ts';

const formType = 'application/x-www-form-urlencoded';
/** The largest number of fields in one form. */
const maxFields = 1_000;

const decoder = new TextDecoder('utf-8', { fatal: true });

function decoded(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw coreErrors.body_invalid();
  }
}

const tooManyFields = () =>
  validationFailed([{ path: '', code: 'too_large', message: `A form has at most ${maxFields} fields.` }]);

/** Converts a form that the program's parser has read: names with a text or a list of texts. Nested values cannot be converted. */
function formOf(parsed: unknown): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, fieldValue] of Object.entries(parsed ?? {})) {
    for (const value of Array.isArray(fieldValue) ? (fieldValue as unknown[]) : [fieldValue]) {
      if (typeof value !== 'string') throw coreErrors.body_already_parsed();
      form.append(name, value);
    }
  }
  return form;
}

/** The methods of a public route that read its body, up to `limit` bytes. */
export function createBodyReader(
  request: HttpRequest,
  limit: number,
): Pick<PublicRequest, 'bytes' | 'text' | 'form' | 'json'> {
  let reading: Promise<Uint8Array> | undefined;
  const bytes = (): Promise<Uint8Array> => {
    reading ??= readBytes(request, limit).then((bodyBytes) =>
      typeof bodyBytes === 'string' ? Buffer.from(bodyBytes) : bodyBytes,
    );
    return reading;
  };
  return {
    bytes,
    text: async () => decoded(await bytes()),
    json: () => readJsonBody(request, limit, [anyJson], bytes),
    async form() {
      if (mediaTypeOf(request) !== formType) throw unsupportedType(request, formType);
      const { body } = request;
      if (isParsed(body)) {
        const form = formOf(body.parsed);
        if (form.size > maxFields) throw tooManyFields();
        return form;
      }
      const bodyBytes = await bytes();
      let separators = 0;
      for (let at = bodyBytes.indexOf(0x26); at !== -1; at = bodyBytes.indexOf(0x26, at + 1)) separators += 1;
      if (separators >= maxFields) throw tooManyFields();
      return new URLSearchParams(decoded(bodyBytes));
    },
  };
}
