// The parts of the OpenAPI document that the reference reads, and the resolution of references in it. The core writes
// the document. Members that the document of another program may lack are optional here.

/** A JSON Schema as the core writes it. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

/** A parameter of the path, the query or the headers. */
export type ParameterObject = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
  /** Its name as an argument of tools and typed calls, if that differs. */
  readonly 'x-argument'?: string;
};

type Media = {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};

/** A body by media type. */
export type MediaContent = { readonly 'application/json'?: Media };

/** An answer, or a reference to one. */
export type ResponseObject = {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: MediaContent;
};

/** The annotations of a tool. */
export type ToolHints = {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
};

/** One method of one path. */
export type OperationObject = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required?: boolean; readonly content: MediaContent };
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly 'x-scopes'?: readonly string[];
  readonly 'x-idempotency'?: 'replay' | 'recorded' | 'natural' | 'read';
  readonly 'x-tool'?: string;
  readonly 'x-tool-hints'?: ToolHints;
  readonly 'x-call'?: string;
  readonly 'x-audit'?: string;
  readonly 'x-errors'?: readonly string[];
  readonly 'x-credits'?: number;
  readonly 'x-events'?: readonly string[];
  readonly 'x-deprecation'?: { readonly since: string; readonly sunset: string; readonly link: string };
};

/** The meaning of an error code. */
export type ErrorInfo = { readonly status: number; readonly type: string; readonly description: string };

/** The OpenAPI document of a service. */
export type OpenapiDocument = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: OperationObject }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, ParameterObject>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
  readonly 'x-scopes': Readonly<Record<string, { readonly description: string; readonly implies: readonly string[] }>>;
  readonly 'x-presets': Readonly<Record<string, readonly string[]>>;
  readonly 'x-errors': Readonly<Record<string, ErrorInfo>>;
};

/** The document with the type that the reference reads. */
export const readDocument = (document: Readonly<Record<string, unknown>>): OpenapiDocument =>
  document as OpenapiDocument;

/** The last segment of a reference: the name of a component. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** The parameter itself, resolved from a reference. */
export function parameterOf(document: OpenapiDocument, input: ParameterObject): ParameterObject {
  if (input.$ref === undefined) return input;
  return document.components.parameters?.[nameOf(input.$ref)] ?? input;
}

/** The answer itself, resolved from a reference. */
export function responseOf(document: OpenapiDocument, input: ResponseObject): ResponseObject {
  return input.$ref === undefined ? input : (document.components.responses[nameOf(input.$ref)] ?? input);
}

/** The schema itself, resolved from a reference. Members beside the reference, such as a description, take precedence. */
export function schemaOf(document: OpenapiDocument, input: Schema): Schema {
  if (input.$ref === undefined) return input;
  const { $ref, ...beside } = input;
  return { ...document.components.schemas[nameOf($ref)], ...beside };
}

/** `Acme Mail API` → `Acme Mail`. */
export const serviceName = ({ info }: OpenapiDocument): string => info.title.replace(/ API$/, '');
