// Stands for a parameter while a statement is compiled. Used by the compiler and by what recognises its values.

/** A value that is given when the statement runs. */
export class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The parameter that a handle fills in: the workspace's id. */
export const workspaceParameter = new Parameter('workspace_id');

/** The parameter that a handle fills in: 1 on the sandbox side, 0 on the live side. No caller can give this name. */
export const sideParameter = new Parameter('#side');

/** Whether two values are the same, parameters by their names. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || (one instanceof Parameter && other instanceof Parameter && one.name === other.name);
