import type { RequestOptions } from '../../../client/client-request.ts'
import type { CallToolResult, ContentBlock, Implementation, ReadResourceResult, Tool } from '../../../model/types.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { AppLimits } from '../app-limits.ts'

/** How a view is shown. */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip'

/** What a view is told of the page that shows it; each host has more to tell, or less. */
export interface HostContext extends Fields {
  readonly theme?: 'light' | 'dark'
  readonly displayMode?: DisplayMode
  /** How it can be shown besides. */
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

/** What a view would like to say in the conversation, in the user's name. */
export interface ViewMessage {
  readonly role: 'user'
  readonly content: readonly ContentBlock[]
}

/** What a view would like a model to know from now on; it takes the place of what it said before. */
export interface ViewModelContext {
  readonly content?: readonly ContentBlock[]
  readonly structuredContent?: Fields
}

type Later<Value> = Value | Promise<Value>

/** What a view may do, and who is told. What has no function here, a view cannot do. */
export interface ViewBridgeOptions {
  readonly client: ViewClient
  /** Who the view is told that it is shown by. */
  readonly host: Implementation
  readonly context?: HostContext
  /** Whether a view may call a tool now; only those of its own server that are for views get here. @default always */
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
