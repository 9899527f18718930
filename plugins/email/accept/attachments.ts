// Attachments of a send: strict base64, size before decoding, names and types checked. Pure.
import type { ErrorDetail, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import type { attachment } from '../schema.ts';

/** The maximum size of all attachments together, in decoded bytes. */
export const attachmentLimit = 10_485_760;

const executable = new Set(
  'ade adp apk appx bat chm cmd com cpl dll dmg exe hta ins isp iso jar js jse lib lnk mde msc msi msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vxd wsc wsf wsh'.split(
    ' ',
  ),
);
/** RFC 6838, section 4.2. */
const typeName = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}(?=[ \t]*(?:;|$))/i;
/** RFC 2045, section 5.1: a token or a quoted string. Escapes in quoted strings are not allowed here. */
const parameterForm = /[ \t]*;[ \t]*([a-z0-9-]{1,30})=([a-z0-9!#$%&'*+.^_`{|}~-]{1,80}|"[ !#-[\]-~]{0,100}")/iy;
/**
 * Parameters that the composer sets itself. If the caller set them, some mail readers would show a second file name instead of the checked
 * one.
 */
const ownParameters: ReadonlySet<string> = new Set(['name', 'filename', 'boundary']);
const denied = new Set([
  'message/rfc822',
  'message/partial',
  'message/external-body',
  'application/x-msdownload',
  'application/x-msdos-program',
]);
const badName = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\<>"|?*:]/u;
/** Invisible characters. A zero-width space after `run.exe` would hide the extension from a check, but not from a reader. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** Characters that some systems drop at the end of a name. Dropping them exposes the extension before them. */
const droppedEnd = /[.\s]+$/u;

/** A checked attachment with its bytes. */
export interface DecodedAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly inline: boolean;
  readonly content: Buffer;
}

type AttachmentInput = z.output<typeof attachment>;

interface Fault {
  readonly field: 'filename' | 'content_type' | 'data_base64';
  readonly code: string;
  readonly message: string;
}

/** The fault of a file name. Also checks its compatibility form (NFKC). */
function nameFault({ filename, inline }: AttachmentInput): string | undefined {
  const plain = filename.normalize('NFKC').replace(invisible, '').toLowerCase();
  const cleanName = plain.replace(droppedEnd, '');
  if (badName.test(filename) || badName.test(plain) || cleanName === '' || filename.trim() !== filename) {
    return 'The filename contains a path, a control character or one of < > " | ? * :';
  }
  const extension = cleanName.includes('.') ? cleanName.slice(cleanName.lastIndexOf('.') + 1) : '';
  if (executable.has(extension)) return `Files of type .${extension} are not sent: mail servers refuse executables.`;
  if (inline && !/^[A-Za-z0-9._-]+$/.test(filename))
    return 'The name of an inline attachment is its content id: letters, digits, dot, hyphen and underscore.';
  return undefined;
}

/** The names of a type's parameters, in lower case; undefined if the text is not a list of parameters. */
function parametersOf(text: string): readonly string[] | undefined {
  const names: string[] = [];
  parameterForm.lastIndex = 0;
  while (parameterForm.lastIndex < text.length) {
    const [, name] = parameterForm.exec(text) ?? [];
    if (name === undefined) return undefined;
    names.push(name.toLowerCase());
  }
  return names;
}

function typeFault({ content_type: type }: AttachmentInput): string | undefined {
  const [typeAndSubtype] = typeName.exec(type) ?? [];
  const parameters = typeAndSubtype === undefined ? undefined : parametersOf(type.slice(typeAndSubtype.length));
  if (typeAndSubtype === undefined || parameters === undefined || /^multipart\//i.test(typeAndSubtype))
    return 'The content_type is no MIME type such as application/pdf or text/calendar; method=REQUEST.';
  if (parameters.some((name) => ownParameters.has(name)))
    return 'The content_type must contain neither a file name nor a boundary: give the name in filename.';
  if (new Set(parameters).size < parameters.length) return 'The content_type has a parameter twice.';
  const name = typeAndSubtype.toLowerCase();
  return denied.has(name) ? `Attachments of type ${name} are not sent.` : undefined;
}

function faultsOf(input: AttachmentInput, content: Buffer): Fault[] {
  const name = nameFault(input);
  const type = typeFault(input);
  // Encoding the bytes again and comparing checks every bit, without running a regular expression over megabytes.
  const strict = content.toString('base64') === input.data_base64;
  return [
    ...(name === undefined ? [] : [{ field: 'filename', code: 'attachment_refused', message: name } as const]),
    ...(type === undefined ? [] : [{ field: 'content_type', code: 'attachment_refused', message: type } as const]),
    ...(strict
      ? []
      : [{ field: 'data_base64', code: 'base64_invalid', message: 'This is not strict base64.' } as const]),
  ];
}

/** The decoded length, computed from the base64 text. */
const decodedLength = (base64: string): number =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

/** Decodes the attachments. @throws attachment_too_large, attachment_invalid */
export function decodeAttachments(input: readonly AttachmentInput[]): DecodedAttachment[] {
  const bytes = input.reduce((sum, { data_base64: data }) => sum + decodedLength(data), 0);
  if (bytes > attachmentLimit) throw errors.attachment_too_large({ bytes, limit: attachmentLimit });
  const decoded = input.map((item) => ({
    filename: item.filename,
    contentType: item.content_type,
    inline: item.inline,
    content: Buffer.from(item.data_base64, 'base64'),
  }));
  const details: ErrorDetail[] = [];
  const names = new Set<string>();
  for (const [index, item] of input.entries()) {
    const faults = faultsOf(item, decoded[index]?.content ?? Buffer.alloc(0));
    for (const { field, code, message } of faults)
      details.push({ path: `attachments.${index}.${field}`, code, message });
    if (item.inline && names.has(item.filename)) {
      details.push({
        path: `attachments.${index}.filename`,
        code: 'duplicate',
        message: 'Two inline attachments have this name.',
      });
    }
    if (item.inline) names.add(item.filename);
  }
  const [first] = details;
  if (first !== undefined) throw errors.attachment_invalid({ summary: `${first.path}: ${first.message}` }, { details });
  return decoded;
}
