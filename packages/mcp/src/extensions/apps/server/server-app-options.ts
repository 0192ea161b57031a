import type { ToolVisibility, ViewMeta } from '../app-meta.ts'

/** A view that a server brings along. */
export interface ViewDefinition extends ViewMeta {
  /** The page, as text or as what makes it each time it is read. */
  readonly html: string | (() => string | Promise<string>)
  /** @default the address */
  readonly name?: string
  readonly description?: string
}

/** The views of a server, by their addresses, as in `ui://weather/map`. */
export interface ServerAppOptions {
  readonly views?: { readonly [uri: string]: ViewDefinition }
}

/** Additions of apps to the definition of a tool. */
export interface AppToolDefinition {
  /** The address of the view that shows what the tool returns. Its result must make sense to a model without it. */
  readonly view?: string
  /** Callers of the tool; one for views alone is not shown to clients without views. @default both */
  readonly visibility?: ToolVisibility
}
