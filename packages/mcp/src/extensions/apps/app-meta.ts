/** The type of a view. */
export const viewMimeType = 'text/html;profile=mcp-app'

/** The origins that a view may reach; without one it reaches nothing. */
export interface ViewDomains {
  /** Origins it may connect to, by `fetch` and WebSocket. */
  readonly connectDomains?: readonly string[]
  /** Origins of its scripts, styles, images, fonts and media. */
  readonly resourceDomains?: readonly string[]
  /** Origins that it may show in frames of its own. */
  readonly frameDomains?: readonly string[]
  /** Origins that its `<base>` may have. */
  readonly baseUriDomains?: readonly string[]
}

/** Features of the browser that a view would like to use; whether it may is up to the host. */
export interface ViewPermissions {
  readonly camera?: object
  readonly microphone?: object
  readonly geolocation?: object
  readonly clipboardWrite?: object
}

/**
 * Statements of a server about a view, in `_meta.ui` of the resource.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export interface ViewMeta {
  readonly csp?: ViewDomains
  readonly permissions?: ViewPermissions
  /** An origin of its own that the view would like; hosts differ in what they make of it. */
  readonly domain?: string
  /** True if it wants a border around it. */
  readonly prefersBorder?: boolean
}

/** Callers of a tool: the model, the views of the same server, or both. */
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
