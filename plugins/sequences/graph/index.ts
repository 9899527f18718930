// A sequence as a picture. Called by the read of a sequence, by the page of a run and by the document for approvals.
import type { Definition } from '../definition/schema.ts';
import { mermaidOf } from './mermaid.ts';
import type { SequenceGraphOptions } from './options.ts';
import { svgOf } from './svg.ts';

/** Mermaid text, or a self-contained SVG. */
export function graphOf(definition: Definition, form: 'mermaid' | 'svg', options: SequenceGraphOptions = {}): string {
  return form === 'svg' ? svgOf(definition, options) : mermaidOf(definition, options);
}
