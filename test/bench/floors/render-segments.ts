/*
 * Floor of the render workload: the receipt is cut into its static pieces by hand and joined with the escaped values. It does not
 * parse, check or limit anything.
 */
import { type ReceiptVariables, receiptHtml } from '../mail-fixture.ts';

const special = /[&<>"']/;
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function escapeValue(value: string | number): string {
  const text = typeof value === 'number' ? String(value) : value;
  return special.test(text) ? text.replace(/[&<>"']/g, (found) => references[found] ?? found) : text;
}

/** Cuts a template into static pieces, and the names of the values between them. */
const cut = (source: string): { pieces: string[]; names: string[] } => {
  const parts = source.split(/\{\{\s*([\w.]+)\s*\}\}/);
  return { pieces: parts.filter((_, index) => index % 2 === 0), names: parts.filter((_, index) => index % 2 === 1) };
};

const [head = '', afterLoop = ''] = receiptHtml.split('{% for item in items %}');
const [row = '', tail = ''] = afterLoop.split('{% endfor %}');
const top = cut(head);
const [nameEnd = '', quantityEnd = '', priceEnd = '', rowEnd = ''] = cut(row).pieces;
const bottom = cut(tail);

function join({ pieces, names }: { pieces: string[]; names: string[] }, values: ReceiptVariables): string {
  let out = pieces[0] as string;
  for (let index = 0; index < names.length; index += 1) {
    out += escapeValue(values[names[index] as Exclude<keyof ReceiptVariables, 'items'>]) + pieces[index + 1];
  }
  return out;
}

/** Renders the receipt. */
export function renderSegments(values: ReceiptVariables): string {
  let out = join(top, values);
  for (const { name, quantity, price } of values.items) {
    out += nameEnd + escapeValue(name) + quantityEnd + escapeValue(quantity) + priceEnd + escapeValue(price) + rowEnd;
  }
  return out + join(bottom, values);
}
