// The forms of a brand in the console: its name and voice, its colours, and the sender that mails and pages show.
import type { ConsoleAction, ConsoleContext, z } from '../../../core/index.ts';
import { type ActionInput, actionForm, type Html, html } from '../../../core/unstable.ts';
import type { brandResource } from '../schema.ts';

type BrandView = z.output<typeof brandResource>;

/** The operations change the live workspace. The forms are therefore not shown on the sandbox side, except on the plan sandbox. */
export const mayChange = ({ side, workspace, mayCall }: ConsoleContext, operationId: string): boolean =>
  mayCall(operationId) && (side === 'live' || workspace.plan.name === 'sandbox');

const colours = ['primary', 'secondary', 'accent', 'background', 'text'] as const;

const idOf = ({ params }: ConsoleContext): string => params['brandId'] ?? '';
/** An empty field clears the value. */
const textOrNull = (text = ''): string | null => (text.trim() === '' ? null : text.trim());
const linesOf = (text = ''): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The actions of a brand's page. */
export const brandActions: Readonly<Record<'voice' | 'colours' | 'sender' | 'makeDefault', ConsoleAction>> = {
  voice: {
    done: 'The name and the voice were changed.',
    async run(ctx, { idempotencyKey, fields }) {
      const { name = '', tone, personality, do: wanted, dont: unwanted, sample } = fields;
      const voice = {
        tone: textOrNull(tone),
        personality: textOrNull(personality),
        do: linesOf(wanted),
        dont: linesOf(unwanted),
        sample: textOrNull(sample),
      };
      await ctx.calls.brand.update({ id: idOf(ctx), name, voice }, { idempotencyKey });
    },
  },
  colours: {
    done: 'The colours were changed. Published templates keep theirs until they are published again.',
    async run(ctx, { idempotencyKey, fields }) {
      const palette = Object.fromEntries(colours.map((name) => [name, textOrNull(fields[name])]));
      await ctx.calls.brand.update({ id: idOf(ctx), palette }, { idempotencyKey });
    },
  },
  sender: {
    done: 'The sender was changed.',
    async run(ctx, { idempotencyKey, fields: { postalAddress, imprint, privacy } }) {
      const sender = {
        postal_address: textOrNull(postalAddress),
        imprint_url: textOrNull(imprint),
        privacy_url: textOrNull(privacy),
      };
      await ctx.calls.brand.update({ id: idOf(ctx), ...sender }, { idempotencyKey });
    },
  },
  makeDefault: {
    done: 'This is the default brand now.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.brand.update({ id: idOf(ctx), is_default: true }, { idempotencyKey });
    },
  },
};

const longTextField = (name: string, label: string, value: string | null, maxLength = 2_000): ActionInput => ({
  name,
  label,
  value: value ?? '',
  isLong: true,
  maxLength,
});

/** The forms of a brand's page. */
export function brandForms(ctx: ConsoleContext, brand: BrandView): Html | null {
  if (!mayChange(ctx, 'brand.update')) return null;
  const { name, voice, palette } = brand;
  const voiceForm = actionForm(ctx, 'voice', {
    label: 'Edit name and voice',
    question: 'Texts that are composed from now on follow the voice. An empty field clears the value.',
    verb: 'Save name and voice',
    inputs: [
      { name: 'name', label: 'Name', value: name, isRequired: true, maxLength: 200 },
      longTextField('tone', 'Tone', voice.tone),
      longTextField('personality', 'Personality', voice.personality),
      longTextField('do', 'What texts should do, one rule per line', voice.do.join('\n'), 42_000),
      longTextField('dont', 'What texts should not do, one rule per line', voice.dont.join('\n'), 42_000),
      longTextField('sample', 'A text that sounds right', voice.sample),
    ],
  });
  const colourForm = actionForm(ctx, 'colours', {
    label: 'Edit colours',
    question: 'Pages and designs take the colours from now on. An empty field restores the neutral colour.',
    verb: 'Save the colours',
    inputs: colours.map((colour) => ({
      name: colour,
      label: `${colour.slice(0, 1).toUpperCase()}${colour.slice(1)} (#rrggbb)`,
      value: palette[colour],
      maxLength: 7,
    })),
  });
  const senderForm = actionForm(ctx, 'sender', {
    label: 'Edit the sender',
    question: 'Marketing mail shows the postal address, and public pages link the imprint and the privacy policy.',
    verb: 'Save the sender',
    inputs: [
      longTextField('postalAddress', 'Postal address, in lines', brand.postal_address),
      { name: 'imprint', label: 'Imprint (https)', value: brand.imprint_url ?? '', maxLength: 2_048 },
      { name: 'privacy', label: 'Privacy policy (https)', value: brand.privacy_url ?? '', maxLength: 2_048 },
    ],
  });
  const makeDefault = brand.is_default
    ? null
    : actionForm(ctx, 'makeDefault', {
        label: 'Make it the default',
        question: html`Content without a brand of its own uses ${name} from now on.`,
        verb: 'Make it the default',
      });
  return html`${voiceForm}${colourForm}${senderForm}${makeDefault}`;
}
