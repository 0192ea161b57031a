/** The type of a view. */
export const viewMimeType = 'text/html;profile=mcp-app'

/** The origins that a view may reach; without one it reaches nothing. */
export interface ViewDomains {
  /** Where it may connect to, by `fetch` and WebSocket. */
  readonly connectDomains?: readonly string[]
  /** Where its scripts, styles, images, fonts and media may come from. */
  readonly resourceDomains?: readonly string[]
  /** What it may show in frames of its own. */
  readonly frameDomains?: readonly string[]
  /** What its `<base>` may be. */
  readonly baseUriDomains?: readonly string[]
}

/** What a view would like to use of the browser; whether it may is up to the host. */
export interface ViewPermissions {
  readonly camera?: object
  readonly microphone?: object
  readonly geolocation?: object
  readonly clipboardWrite?: object
}

/**
 * What a server says of a view, in `_meta.ui` of the resource.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export interface ViewMeta {
  readonly csp?: ViewDomains
  readonly permissions?: ViewPermissions
  /** An origin of its own that the view would like; hosts differ in what they make of it. */
  readonly domain?: string
  /** Whether it wants a border around it. */
  readonly prefersBorder?: boolean
}

/** Who may call a tool: the model, the views of the same server, or both. */
export type ToolVisibility = readonly ('model' | 'app')[]

/** The kinds of origins in a policy. */
export const domainKinds = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const

/** The permissions there are, each with its name in the `allow` of a frame. */
export const permissionNames = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
} as const satisfies Record<keyof ViewPermissions, string>
