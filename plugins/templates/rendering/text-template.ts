// A plain text in the template language with its contract, for plugins that send texts without markup. It is parsed
// once and rendered many times; nothing is escaped.
import type { ErrorDetail } from '../../../core/index.ts';
import { checkContract, inferContract, missingPlaceholders } from '../contract/schema.ts';
import { compileValidator, fillAbsent } from '../contract/validator.ts';
import { hasWriteOnly } from '../contract/write-only.ts';
import { errors, refuseVariables } from '../errors.ts';
import { isTemplateFault } from '../language/fault.ts';
import { parseTemplate } from '../language/liquid.ts';

type Variables = Readonly<Record<string, unknown>>;

/** A parsed text with the contract of its variables. */
export interface TextTemplate {
  /** The contract of its variables, as JSON Schema. */
  readonly contract: Readonly<Record<string, unknown>>;
  /** The paths of the values that it reads, as names. `*` is a computed step; `[]` is an element of a list. */
  readonly paths: readonly (readonly string[])[];
  /**
   * Checks the variables and fills in defaults.
   * @param resource the name that callers use for the resource that declares the variables
   * @throws variables_invalid, one detail for each fault
   */
  accept(resource: string, variables: Variables): Variables;
  /** Renders checked variables. @throws variables_invalid if they cannot be rendered */
  render(resource: string, variables: Variables, now: number): string;
}

/** The source of a text. */
export interface TextSource {
  readonly body: string;
  /** A JSON Schema of the variables, in the subset that templates allow. (Default: inferred from the placeholders) */
  readonly variables?: Readonly<Record<string, unknown>>;
}

const refuseText = (details: readonly ErrorDetail[]) =>
  errors.template_invalid({ summary: details.map(({ message }) => message).join(' ') }, { details });

function parse(body: string) {
  try {
    return parseTemplate(body, 'plain');
  } catch (error) {
    if (!isTemplateFault(error)) throw error;
    const path = error.line === undefined ? 'body' : `body.${error.line}`;
    throw refuseText([{ path, code: error.code, message: error.message }]);
  }
}

/**
 * @throws template_invalid for a text that does not parse, an invalid contract, or a contract that lacks a placeholder
 */
export function createTextTemplate({ body, variables: declaredVariables }: TextSource): TextTemplate {
  const parsed = parse(body);
  const checked =
    declaredVariables === undefined
      ? { ok: true as const, contract: inferContract(parsed.placeholders) }
      : checkContract(declaredVariables);
  if (!checked.ok) throw refuseText(checked.faults);
  const { contract } = checked;
  if (hasWriteOnly(contract))
    throw refuseText([
      {
        path: 'variables',
        code: 'keyword_misplaced',
        message: '`writeOnly` is available in templates of mail only: what a text here says is shown.',
      },
    ]);
  const missingPaths = missingPlaceholders(contract, parsed.placeholders);
  if (missingPaths.length > 0)
    throw refuseText(
      missingPaths.map(({ path }) => ({
        path: 'variables',
        code: 'placeholder_unknown',
        message: `The text uses ${path.join('.')}, which its contract lacks.`,
      })),
    );
  const validate = compileValidator(contract);
  return {
    contract: { ...contract },
    paths: parsed.placeholders.map(({ path }) => path),
    accept(resource, variables) {
      const { variables: filled, faults } = validate(variables);
      if (faults.length > 0) throw refuseVariables(resource, faults);
      return filled;
    },
    render(resource, variables, now) {
      try {
        return parsed.render(fillAbsent(contract, variables), { now });
      } catch (error) {
        if (!isTemplateFault(error)) throw error;
        throw refuseVariables(resource, [{ path: 'variables', code: error.code, message: error.message }]);
      }
    },
  };
}
