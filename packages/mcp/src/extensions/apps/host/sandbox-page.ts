import { McpError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { View } from '../client/view.ts'
import { isOrigin } from '../origin-text.ts'
import { frameSources } from './content-security-policy.ts'
import type { ViewFrameSettings } from './view-document.ts'

/** Options for a page between a host and a view. */
export interface SandboxPageOptions {
  /** The origins of the pages that may show views through it. */
  readonly hostOrigins: readonly string[]
}

/**
 * A page to serve at an origin of its own, for hosts that are web pages: it holds the frame of a view, so that a view that finds a hole in
 * its frame is still not in the host's origin. It hands messages on, both ways, and keeps the view from going elsewhere.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function sandboxPage({ hostOrigins }: SandboxPageOptions): string {
  const bad = hostOrigins.find((origin) => !isOrigin(origin) || origin.includes('*'))
  if (bad !== undefined || hostOrigins.length === 0)
    throw new McpError(
      'Misuse',
      `Cannot make a page for ${JSON.stringify(bad ?? [])}: name the origins of its hosts, as in "https://app.example.com"`,
    )
  return relayPage(hostOrigins)
}

/** The same page inside of a frame without an origin, for the page that it is in and no other. */
export function inlineSandboxPage(): string {
  return relayPage(undefined)
}

/** The message of a host to such a page when it is ready: the view, with its policy already in it. */
export function sandboxResource({ csp, permissions }: View, { srcdoc, sandbox, allow }: ViewFrameSettings): Fields {
  return {
    jsonrpc: '2.0',
    method: 'ui/notifications/sandbox-resource-ready',
    params: { html: srcdoc, sandbox, allow, frameSources: frameSources(csp), csp, permissions },
  }
}

/** Message of such a page when its view went elsewhere. */
export const viewLeft = 'ui/notifications/sandbox-view-left'

function relayPage(hostOrigins: readonly string[] | undefined): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<style>html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block;overflow:hidden}</style></head><body>
<script>(${relay})(${JSON.stringify(hostOrigins ?? null)})</script></body></html>`
}

/** Runs in the page; text, so that no bundler puts anything into it that is not there. */
const relay = `(hostOrigins) => {
  const prefix = 'ui/notifications/sandbox-'
  const host = window.parent
  const frame = document.createElement('iframe')
  let hostOrigin = ''
  const say = (method, to) => host.postMessage({ jsonrpc: '2.0', method: prefix + method, params: {} }, to)
  const begin = ({ html, allow, frameSources }, origin) => {
    hostOrigin = hostOrigins ? origin : '*'
    // a frame goes only where the page around it lets it
    const policy = document.createElement('meta')
    policy.httpEquiv = 'Content-Security-Policy'
    policy.content = 'frame-src ' + String(frameSources ?? "'none'").replace(/[;,]/g, '')
    document.head.append(policy)
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.setAttribute('allow', String(allow ?? ''))
    frame.srcdoc = String(html)
    document.body.append(frame)
    // a view that may not frame anything and does is not what it should be
    if (policy.content === "frame-src 'none'") setInterval(() => frame.contentWindow?.length > 0 && leave(), 20)
  }
  const leave = () => {
    if (!frame.isConnected) return
    frame.remove()
    say('view-left', hostOrigin)
  }
  window.addEventListener('message', ({ data, origin, source }) => {
    const method = data?.method
    const isAside = typeof method === 'string' && method.startsWith(prefix)
    if (source === host && (!hostOrigins || hostOrigins.includes(origin))) {
      if (method === prefix + 'resource-ready' && hostOrigin === '') begin(data.params, origin)
      else if (!isAside && hostOrigin !== '') frame.contentWindow?.postMessage(data, '*')
    } else if (hostOrigin !== '' && source === frame.contentWindow && origin === 'null' && !isAside) {
      host.postMessage(data, hostOrigin)
    }
  })
  let pages = 0
  frame.addEventListener('load', () => {
    pages += 1
    if (pages > 1) leave()
  })
  for (const origin of hostOrigins ?? ['*']) say('proxy-ready', origin)
}`
