// A parameter in a statement that is being compiled. Used by the compiler and by code that recognises its values.

/** A value that is passed when the statement runs. */
export class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The parameter that a handle fills in: the workspace's id. */
export const workspaceParameter = new Parameter('workspace_id');

/** The parameter that a handle fills in: 1 on the sandbox side, 0 on the live side. No caller can use this name. */
export const sideParameter = new Parameter('#side');

/** Whether two values are equal; parameters by their names. */
export const isSameValue = (first: unknown, second: unknown): boolean =>
  first === second || (first instanceof Parameter && second instanceof Parameter && first.name === second.name);
