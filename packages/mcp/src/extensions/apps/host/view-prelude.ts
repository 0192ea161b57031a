import type { ViewDomains } from '../app-meta.ts'

/**
 * The script that runs in a view before its first byte. A policy has no word for calls between browsers, so their
 * names are taken away; and frames that were not declared are removed as they come, since they would have those names
 * again.
 */
export function viewPrelude({ frameDomains = [] }: ViewDomains): string {
  return `<script>(${takeAway})(${frameDomains.length > 0})</script>`
}

/** The page without roots that only the parser can make: a frame in such a root cannot be seen. */
export function withoutParsedRoots(html: string, { frameDomains = [] }: ViewDomains): string {
  return frameDomains.length > 0 ? html : html.replaceAll(/shadowrootmode/gi, 'data-root-mode')
}

/** Runs in the view; text, so that no bundler puts anything into it that is not there. */
const takeAway = `(mayFrame) => {
  document.currentScript.remove()
  for (const name of Object.getOwnPropertyNames(window)) if (/^(webkit)?RTC/.test(name)) delete window[name]
  if (mayFrame) return
  for (const owner of [Element.prototype, ShadowRoot.prototype, Document, Document.prototype]) {
    const makers = Object.getOwnPropertyNames(owner).filter((name) => /HTMLUnsafe$|^(write|writeln|open)$/.test(name))
    for (const name of makers) delete owner[name]
  }
  const remove = Function.prototype.call.bind(Element.prototype.remove)
  const inDocument = Function.prototype.call.bind(Document.prototype.querySelectorAll)
  const inRoot = Function.prototype.call.bind(DocumentFragment.prototype.querySelectorAll)
  const watch = (root, find) => {
    const clear = () => {
      for (const frame of find(root, 'iframe, frame')) remove(frame)
    }
    new MutationObserver(clear).observe(root, { childList: true, subtree: true })
  }
  watch(document, inDocument)
  const attach = Function.prototype.call.bind(Element.prototype.attachShadow)
  Element.prototype.attachShadow = function attachShadow(options) {
    const root = attach(this, { ...options, clonable: false })
    watch(root, inRoot)
    return root
  }
}`
