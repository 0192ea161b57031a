import { quoted } from './preview.ts'
import { ToolProblem } from './tool-problem.ts'

/** True if a reference is written as a link; `//host/…` and `scheme:` count, so that none passes as an id. */
export function isLink(reference: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(reference.trim())
}

/**
 * Parts of the path of a link that the product shows in its address bar. Links of other hosts, with another protocol, a
 * port, a user or escaped slashes are refused.
 */
export function linkParts(link: string, host: string): readonly string[] {
  const url = URL.canParse(link.trim()) ? new URL(link.trim()) : undefined
  const expected = new URL(`https://${host}`)
  if (url === undefined || url.protocol !== 'https:' || url.host !== expected.host || url.username || url.password)
    throw new ToolProblem('refused', `Cannot use ${quoted(link)}: it is no link of ${host}`, {
      next: `Links begin with https://${host}/`,
    })
  try {
    const parts = url.pathname.split('/').filter(Boolean).map(decodeURIComponent)
    if (!parts.some((part) => part.includes('/') || part.includes('\0'))) return parts
  } catch {
    // told below
  }
  throw new ToolProblem('refused', `Cannot use ${quoted(link)}: it is escaped in a way that no link of ${host} is`)
}
