import type { RequestOptions } from '../../../client/client-request.ts'
import type { CallToolResult, ContentBlock, Implementation, ReadResourceResult, Tool } from '../../../model/types.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { AppLimits } from '../app-limits.ts'

/** Manner in which a view is shown. */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip'

/** Facts that a view gets about the page that shows it; each host has more to tell, or less. */
export interface HostContext extends Fields {
  readonly theme?: 'light' | 'dark'
  readonly displayMode?: DisplayMode
  /** Other modes that it can be shown in. */
  readonly availableDisplayModes?: readonly DisplayMode[]
  readonly locale?: string
  readonly timeZone?: string
  /** The tool whose result is shown. */
  readonly toolInfo?: { readonly tool: Tool; readonly id?: string | number }
}

/** The connection to the server that a view belongs to, and the only one it can reach. A client is one. */
export interface ViewClient {
  readonly tools: {
    list(options?: RequestOptions): AsyncIterable<Tool>
    call(name: string, input: Fields, options?: RequestOptions): Promise<CallToolResult>
  }
  readonly resources: { read(uri: string, options?: RequestOptions): Promise<ReadResourceResult> }
}

/** A message that a view would like to add to the conversation, in the user's name. */
export interface ViewMessage {
  readonly role: 'user'
  readonly content: readonly ContentBlock[]
}

/** Context that a view would like a model to have from now on; it replaces the one before. */
export interface ViewModelContext {
  readonly content?: readonly ContentBlock[]
  readonly structuredContent?: Fields
}

type Later<Value> = Value | Promise<Value>

/**
 * Actions that a view may take, and functions that are told of them; an action without a function here is impossible.
 */
export interface ViewBridgeOptions {
  readonly client: ViewClient
  /** Name of the host, for the view. */
  readonly host: Implementation
  readonly context?: HostContext
  /** True if a view may call a tool now; only those of its own server that are for views get here. @default always */
  readonly approve?: (tool: Tool, input: Fields) => Later<boolean>
  /** Opens a page of the web, once the user agrees; resolves to false when it was not opened. */
  readonly onOpenLink?: (url: URL) => Later<boolean>
  /** Takes a message for the conversation; resolves to false when it was not. */
  readonly onMessage?: (message: ViewMessage) => Later<boolean>
  readonly onModelContext?: (context: ViewModelContext) => Later<void>
  /** Changes how the view is shown; resolves with how it is shown then. */
  readonly onDisplayMode?: (mode: DisplayMode) => Later<DisplayMode>
  /** Told how large the view would like to be, in pixels. */
  readonly onSize?: (size: { readonly width?: number; readonly height?: number }) => void
  readonly onLog?: (message: Fields) => void
  /** The view would like to be closed. */
  readonly onCloseRequest?: () => void
  /** Told of what a view did wrong. */
  readonly onWarning?: (message: string) => void
  readonly limits?: AppLimits
}
