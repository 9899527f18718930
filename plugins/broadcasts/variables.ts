// The variables of a broadcast for one contact. Strings are Liquid over `contact`. A string that is a single `{{ contact.… }}` keeps the
// type of the value.
import { type ErrorDetail, isPostriderError, type ServiceContext } from '../../core/index.ts';
import { readNames } from '../../core/unstable.ts';
import type { KnownContact } from '../contacts/index.ts';
import type { TextTemplate } from '../templates/index.ts';

type Variables = Readonly<Record<string, unknown>>;

const hasLiquid = /\{[{%]/;
const singlePath = /^\s*\{\{-?\s*contact((?:\.[A-Za-z_][\w-]*)+)\s*-?\}\}\s*$/;

/** Renders the variables for a contact. @throws variables_invalid if a text cannot be rendered */
export type VariablesOfContact = (contact: KnownContact) => Record<string, unknown>;

/** The contact as texts see it. */
const shownOf = ({ id, external_id, email, attributes }: KnownContact) => ({ id, external_id, email, attributes });

/** Makes a renderer. Each text is parsed once. */
export function createVariables({ services }: ServiceContext, variables: Variables, now: number): VariablesOfContact {
  const texts = new Map<string, TextTemplate>();
  const textOf = (source: string): TextTemplate => {
    const text = texts.get(source) ?? services.templates.text({ body: source });
    texts.set(source, text);
    return text;
  };
  const render = (value: unknown, contact: object): unknown => {
    if (typeof value === 'string') {
      if (!hasLiquid.test(value)) return value;
      const path = singlePath.exec(value)?.[1];
      return path === undefined
        ? textOf(value).render('the broadcast', { contact }, now)
        : readNames(contact, path.split('.').slice(1));
    }
    if (Array.isArray(value)) return value.map((one) => render(one, contact)).filter((one) => one !== undefined);
    return typeof value === 'object' && value !== null ? renderAll(value as Variables, contact) : value;
  };
  const renderAll = (values: Variables, contact: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(values)
        .map(([name, value]) => [name, render(value, contact)] as const)
        .filter(([, value]) => value !== undefined),
    );
  return (contact) => renderAll(variables, shownOf(contact));
}

/** The strings in a value, each with its path. */
function stringsIn(value: unknown, path: string): { readonly path: string; readonly text: string }[] {
  if (typeof value === 'string') return hasLiquid.test(value) ? [{ path, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => stringsIn(one, `${path}.${name}`));
}

/** Whether a value has Liquid in one of its strings. */
export const hasLiquidIn = (value: unknown): boolean => stringsIn({ value }, '').length > 0;

/** The variables that a template accepts. The template of another variant may accept others. */
export const variablesFor = (variables: Variables, isTaken: (name: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => isTaken(name)));

/** The variables without any Liquid. */
export const literalsIn = (variables: Variables): Record<string, unknown> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => !hasLiquidIn(value)));

/** The faults of texts that do not parse, or that read anything except the contact. */
export function liquidFault({ services }: ServiceContext, variables: Variables): ErrorDetail[] {
  return stringsIn(variables, 'variables').flatMap(({ path, text }): ErrorDetail[] => {
    try {
      const unknownPath = services.templates.text({ body: text }).paths.find(([first]) => first !== 'contact');
      if (unknownPath === undefined) return [];
      const message = `${unknownPath.join('.')} is not known here. Texts read contact.id, contact.external_id, contact.email and contact.attributes.`;
      return [{ path, code: 'placeholder_unknown', message }];
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      return [{ path, code: error.code, message: error.message }];
    }
  });
}
