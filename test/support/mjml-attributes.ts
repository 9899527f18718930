// Every attribute of every MJML component, from MJML's own definitions, with values of its type and a body that uses it. For the tests of
// placeholders in attributes.
import { createRequire } from 'node:module';

interface Definition {
  readonly componentName: string;
  readonly endingTag?: boolean;
  readonly allowedAttributes?: Readonly<Record<string, string>>;
}

const require = createRequire(import.meta.url);
const fromMjml = createRequire(require.resolve('mjml'));
const { components } = fromMjml('mjml-preset-core') as { components: Readonly<Record<string, Definition>> };

/** Attributes that MJML accepts in every component, in addition to the declared attributes */
const everywhere: Readonly<Record<string, string>> = { 'css-class': 'string', 'mj-class': 'string' };

export interface MjmlAttribute {
  readonly element: string;
  readonly attribute: string;
  readonly type: string;
  readonly values: readonly string[];
  /** A body in which the attribute has this value. */
  body(value: string): string;
}

/** Values of a type, including values for which MJML behaves differently */
function valuesOf(attribute: string, type: string): readonly string[] {
  const [, kind = type, list = ''] = /^(\w+)(?:\(([^)]*)\))?/.exec(type) ?? [];
  if (kind === 'enum') return list.split(',').filter((one) => one !== '');
  if (kind === 'color') return ['#123456', 'red', 'transparent'];
  if (attribute === 'mode') return ['fixed-height', 'fluid-height'];
  if (kind === 'boolean') return ['true', 'false'];
  if (kind === 'integer') return ['3', '0'];
  if (kind.startsWith('unit')) {
    const units = list.split(',').map((unit) => `35${unit}`);
    return type.endsWith('{1,4}') ? [...units, '1px 2px 3px 4px'] : units;
  }
  if (/border/.test(attribute)) return ['3px solid #123456', '5px'];
  if (attribute === 'mj-class') return ['known'];
  if (attribute === 'hamburger') return ['hamburger'];
  if (attribute === 'inline') return ['inline'];
  if (attribute === 'background-size') return ['cover', 'contain', 'auto', '10px 20px'];
  if (attribute === 'background-position') return ['top left', '10% 20%'];
  if (/position-[xy]$/.test(attribute)) return ['left', '25%', 'top'];
  if (/(?:url|href|src|icon)$/.test(attribute)) return ['https://x.example/a?b=1', '/a b.png'];
  if (attribute === 'name') return ['facebook', 'Own', 'İ'];
  if (attribute === 'target') return ['_self'];
  // If there are several classes, MJML adds a suffix to each for Outlook.
  if (attribute === 'css-class') return ['value', 'İ'];
  return ['value', 'İ ß 日本 👩‍👩‍👧', 'a b'];
}

const wrap = (name: string, attributes: string, content: string): string =>
  `<${name} ${attributes}>${content}</${name}>`;
const inColumn = (content: string): string => `<mj-section><mj-column>${content}</mj-column></mj-section>`;

/** The content of the element that gives each of its attributes an effect */
const contents: Readonly<Record<string, string>> = {
  'mj-section': '<mj-column><mj-image src="i.png" /></mj-column><mj-column><mj-text>x</mj-text></mj-column>',
  'mj-column': '<mj-image src="i.png" /><mj-text>x</mj-text>',
  'mj-group': '<mj-column><mj-image src="i.png" /></mj-column><mj-column><mj-text>x</mj-text></mj-column>',
  'mj-wrapper': `${inColumn('<mj-image src="i.png" />')}${inColumn('<mj-text>y</mj-text>')}`,
  'mj-hero': '<mj-image src="i.png" /><mj-text>x</mj-text>',
  'mj-social':
    '<mj-social-element name="facebook" href="u">x</mj-social-element><mj-social-element name="x" href="v">y</mj-social-element>',
  'mj-table': '<tr><td>x</td></tr>',
  'mj-navbar': '<mj-navbar-link href="/u">x</mj-navbar-link>',
  'mj-accordion':
    '<mj-accordion-element><mj-accordion-title>t</mj-accordion-title><mj-accordion-text>x</mj-accordion-text></mj-accordion-element>',
  'mj-accordion-element': '<mj-accordion-title>t</mj-accordion-title><mj-accordion-text>x</mj-accordion-text>',
  'mj-carousel': '<mj-carousel-image src="i.png" /><mj-carousel-image src="j.png" />',
  'mj-body': inColumn('<mj-image src="i.png" />'),
  'mj-image': '',
  'mj-divider': '',
  'mj-spacer': '',
  'mj-style': '.a { color: red }',
  'mj-breakpoint': '',
  'mj-font': '',
};

/** The parents of an element within a body, outermost first */
const parents: Readonly<Record<string, readonly string[]>> = {
  'mj-section': [],
  'mj-wrapper': [],
  'mj-hero': [],
  'mj-raw': [],
  'mj-column': ['mj-section'],
  'mj-group': ['mj-section'],
  'mj-social-element': ['mj-section', 'mj-column', 'mj-social'],
  'mj-navbar-link': ['mj-section', 'mj-column', 'mj-navbar'],
  'mj-accordion-element': ['mj-section', 'mj-column', 'mj-accordion'],
  'mj-accordion-title': ['mj-section', 'mj-column', 'mj-accordion', 'mj-accordion-element'],
  'mj-accordion-text': ['mj-section', 'mj-column', 'mj-accordion', 'mj-accordion-element'],
  'mj-carousel-image': ['mj-section', 'mj-column', 'mj-carousel'],
};
const headOnly: ReadonlySet<string> = new Set(['mj-breakpoint', 'mj-font', 'mj-preview', 'mj-style', 'mj-title']);
const attributesHead =
  '<mj-attributes><mj-class name="known" color="#123456" padding="7px" border="1px solid red" width="50px" /></mj-attributes>';

function bodyOf(element: string, attribute: string, value: string): string {
  const attributeText = `${attribute}="${value}"`;
  const needs = [
    ...(element === 'mj-image' || element === 'mj-carousel-image' ? (attribute === 'src' ? [] : ['src="i.png"']) : []),
    ...(/^background-/.test(attribute) && attribute !== 'background-url' && attribute !== 'background-color'
      ? ['background-url="b.png"']
      : []),
    ...(element === 'mj-hero' && attribute !== 'mode' ? ['mode="fixed-height"'] : []),
    ...(element === 'mj-hero' && !/^background-(?:width|height)$/.test(attribute)
      ? ['background-width="600px" background-height="400px"']
      : []),
    ...(element === 'mj-social-element' && attribute !== 'name' ? ['name="facebook"'] : []),
    ...(/^ico-/.test(attribute) ? ['hamburger="hamburger"'] : []),
    ...(element === 'mj-font' ? (attribute === 'name' ? ['href="https://f.example/f.css"'] : ['name="Own"']) : []),
  ].filter((need) => !need.startsWith(`${attribute}=`));
  const node = wrap(element, [attributeText, ...needs].join(' '), contents[element] ?? 'x');
  if (element === 'mj-body') return `<mjml><mj-head>${attributesHead}</mj-head>${node}</mjml>`;
  if (headOnly.has(element)) {
    return `<mjml><mj-head>${attributesHead}${node}</mj-head><mj-body>${inColumn('<mj-text font-family="Own"><b class="a">x</b></mj-text>')}</mj-body></mjml>`;
  }
  const around = parents[element] ?? ['mj-section', 'mj-column'];
  const nested = around.reduceRight((content, name) => wrap(name, '', content), node);
  return `<mjml><mj-head>${attributesHead}</mj-head><mj-body>${nested}</mj-body></mjml>`;
}

/** All attributes. */
export const mjmlAttributes: readonly MjmlAttribute[] = Object.values(components).flatMap(
  ({ componentName, allowedAttributes = {} }) =>
    ['mj-head', 'mj-attributes', 'mj-html-attributes', 'mj-include'].includes(componentName)
      ? []
      : Object.entries({ ...allowedAttributes, ...(headOnly.has(componentName) ? {} : everywhere) }).map(
          ([attribute, type]) => ({
            element: componentName,
            attribute,
            type,
            values: valuesOf(attribute, type),
            body: (value: string) => bodyOf(componentName, attribute, value),
          }),
        ),
);
