import { permissionNames, type ViewPermissions } from '../app-meta.ts'
import type { View } from '../client/view.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { viewPrelude, withoutParsedRoots } from './view-prelude.ts'

/** Settings of a frame for a view, for hosts that make it themselves. */
export interface ViewFrameSettings {
  /** The page, with its policy before anything that the server wrote. */
  readonly srcdoc: string
  /** Scripts run, but in an opaque origin. */
  readonly sandbox: string
  /** Features of the browser that the view may use. */
  readonly allow: string
  readonly referrerPolicy: 'no-referrer'
}

/** The frame for a view; of what it would like to use of the browser, it gets what the host grants. */
export function viewFrameSettings(
  view: Pick<View, 'html' | 'csp' | 'permissions'>,
  granted: ViewPermissions = {},
): ViewFrameSettings {
  const names = Object.keys(permissionNames) as (keyof ViewPermissions)[]
  const allowed = names.filter((name) => view.permissions[name] && granted[name])
  return {
    // the parser puts the policy into the head, whatever the page begins with; the type keeps it out of quirks mode
    srcdoc: `<!doctype html><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(view.csp)}">${viewPrelude(view.csp)}${withoutParsedRoots(view.html, view.csp)}`,
    sandbox: 'allow-scripts',
    allow: allowed.map((name) => `${permissionNames[name]} *`).join('; '),
    referrerPolicy: 'no-referrer',
  }
}
