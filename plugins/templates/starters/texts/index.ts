// The texts of the starters in all built-in languages.
import type { PageLanguage } from '../../../../core/unstable.ts';
import type { StarterTexts } from '../texts.ts';
import { arabic } from './ar.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { italian } from './it.ts';
import { japanese } from './ja.ts';
import { dutch } from './nl.ts';
import { polish } from './pl.ts';
import { portuguese } from './pt.ts';

/** The texts of the starters by language. A program can use the texts of a language with changes, as `{ ...starterTexts.de, … }`. */
export const starterTexts: Readonly<Record<PageLanguage, StarterTexts>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
  pl: polish,
  ja: japanese,
  ar: arabic,
};
