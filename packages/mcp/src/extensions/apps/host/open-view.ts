import { McpError } from '../../../wire/errors.ts'
import { resolveKnownLimits } from '../../../wire/resolve-limits.ts'
import { appLimits } from '../app-limits.ts'
import type { ViewPermissions } from '../app-meta.ts'
import type { View } from '../client/view.ts'
import { inlineSandboxPage, sandboxResource, viewLeft } from './sandbox-page.ts'
import { ViewBridge } from './view-bridge.ts'
import type { ViewBridgeOptions } from './view-bridge-options.ts'
import { type HostWindow, ViewChannel, type ViewWindow } from './view-channel.ts'
import { type ViewFrameSettings, viewFrameSettings } from './view-document.ts'

/** An `<iframe>` that is in the page already, or will be. */
export interface ViewFrame {
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  addEventListener(type: 'load', listener: () => void): void
  removeEventListener(type: 'load', listener: () => void): void
  readonly contentWindow: ViewWindow | null
}

/** Options for showing a view, with its place. */
export interface OpenViewOptions extends ViewBridgeOptions {
  readonly view: View
  /** The frame to show it in. It must be empty; whatever it is given is the view's from now on. */
  readonly frame: ViewFrame
  /** The window that receives what the view posts. @default the one of this page */
  readonly hostWindow?: HostWindow
  /** Features of the browser that the view may use, of those it would like to. @default none */
  readonly permissions?: ViewPermissions
  /**
   * The address of a page made by `sandboxPage`, to put between this page and the view: of another origin than this one, or of this one,
   * where the frame takes its origin away. Its own policy then is that of the view, too.
   */
  readonly sandboxUrl?: string | URL
}

/**
 * Shows a view in a frame and connects to it. The view runs in an opaque origin, reaches what its server declared and calls
 * tools of its own server only. It is in a frame of its own inside of the one that is given, which it cannot leave; when it tries to, the
 * conversation ends.
 */
export function openView({ view, frame, permissions = {}, sandboxUrl, ...options }: OpenViewOptions): ViewBridge {
  const limits = resolveKnownLimits(appLimits, options.limits)
  const settings = viewFrameSettings(view, permissions)
  const { hostWindow = ownWindow() } = options
  const origin = frameOrigin(sandboxUrl, hostWindow)
  const resource = sandboxResource(view, settings)
  let isLoaded = false
  const channel = new ViewChannel({
    hostWindow,
    target: () => frame.contentWindow,
    origin,
    maxMessageChars: limits.maxMessageChars,
    aside(method) {
      if (method === 'ui/notifications/sandbox-proxy-ready' && !isLoaded) {
        isLoaded = true
        frame.contentWindow?.postMessage(resource, origin === 'null' ? '*' : origin)
      }
      if (method === viewLeft) leave()
    },
  })
  const sandbox = { csp: view.csp, permissions: granted(view, permissions) }
  const bridge = new ViewBridge({ channel, options, limits, sandbox })
  const empty = (): void => {
    // a page that wants trusted types does not let a `srcdoc` be set
    if (sandboxUrl === undefined) frame.setAttribute('srcdoc', '')
    else frame.setAttribute('src', 'about:blank')
  }
  const leave = endWithPage(frame, { bridge, empty, options })
  fill(frame, { settings, sandboxUrl, origin })
  return bridge
}

/** The origin of what is in the frame. A script with the origin of the page around it could take its frame off. */
function frameOrigin(sandboxUrl: string | URL | undefined, { origin }: HostWindow): string {
  if (sandboxUrl === undefined) return 'null'
  const { origin: served } = new URL(sandboxUrl)
  return served === origin ? 'null' : served
}

interface Filling {
  readonly settings: ViewFrameSettings
  readonly sandboxUrl: string | URL | undefined
  readonly origin: string
}

function fill(frame: ViewFrame, { settings, sandboxUrl, origin }: Filling): void {
  const { sandbox, allow, referrerPolicy } = settings
  frame.setAttribute('sandbox', origin === 'null' ? sandbox : `${sandbox} allow-same-origin`)
  frame.setAttribute('referrerpolicy', referrerPolicy)
  frame.setAttribute('allow', allow)
  if (sandboxUrl === undefined) frame.setAttribute('srcdoc', inlineSandboxPage())
  else frame.setAttribute('src', new URL(sandboxUrl).href)
}

/** Ends the conversation when the view goes elsewhere, and when the frame gets another page. */
function endWithPage(
  frame: ViewFrame,
  {
    bridge,
    empty,
    options: { onWarning },
  }: { readonly bridge: ViewBridge; empty(): void; readonly options: ViewBridgeOptions },
): () => void {
  let pages = 0
  const leave = (): void => {
    frame.removeEventListener('load', loaded)
    onWarning?.('The view went to another page or opened one, so it was closed')
    void bridge.abandon()
    frame.removeAttribute('src')
    empty()
  }
  const loaded = (): void => {
    pages += 1
    if (pages > 1) leave()
  }
  frame.addEventListener('load', loaded)
  return leave
}

function granted({ permissions: wanted }: View, given: ViewPermissions): ViewPermissions {
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => given[name as keyof ViewPermissions]))
}

function ownWindow(): HostWindow {
  const { window } = globalThis as { window?: HostWindow }
  if (window) return window
  throw new McpError('Unsupported', 'Cannot show a view: there is no window here; give one as "hostWindow"')
}
