/*
 * Workload: render a 21 kB mail, in process. `npx tsx test/bench/render.ts [--rounds 5] [--seconds 1]`
 * Each runner makes the same bytes. `Buffer.byteLength` forces the string to be written out, as sending it would.
 */
import assert from 'node:assert/strict';
import { Liquid } from 'liquidjs';
import { parseTemplate } from '../../plugins/templates/language/liquid.ts';
import { renderSegments } from './floors/render-segments.ts';
import { compareInProcess, inProcessOptions } from './in-process.ts';
import { receiptHtml, receiptVariables } from './mail-fixture.ts';

const variables = { ...receiptVariables('000042') };
const ownTemplate = parseTemplate(receiptHtml, 'html');
const liquid = new Liquid({ outputEscape: 'escape', strictVariables: true, templates: {} });
const parsedTemplate = liquid.parse(receiptHtml);

const renderers: Readonly<Record<string, () => string>> = {
  'floor: segments joined': () => renderSegments(variables),
  postrider: () => ownTemplate.render(variables),
  'liquidjs, parsed once': () => liquid.renderSync(parsedTemplate, variables) as string,
};
const expectedHtml = renderSegments(variables);
for (const [name, render] of Object.entries(renderers)) assert.equal(render(), expectedHtml, name);
console.log(`${Buffer.byteLength(expectedHtml)} bytes`);

await compareInProcess(
  'render a 21 kB mail',
  Object.entries(renderers).map(([name, render]) => ({ name, run: () => Buffer.byteLength(render()) })),
  inProcessOptions(),
);
