// Where the page of connected apps is, and who sees it. Called by the page, its declaration and the page of one's own apps.

export const appsPath = 'connected-apps';

/** The scopes of people who see and end every app of a workspace on this page. */
export const manageScopes: readonly string[] = ['keys:read', 'keys:manage'];
