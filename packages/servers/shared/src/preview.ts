import { type Plan, plan } from '@trunkline/mcp/contract'

/** A call that takes back what another one did. */
export interface Undo {
  readonly tool: string
  readonly arguments: { readonly [name: string]: unknown }
}

/** Contents of a preview. */
export interface Previewed {
  /** Changes that it would make, one line each; texts of others in quotes. */
  readonly changes: readonly string[]
  /** The request that would be sent or the command that would run, exactly. */
  readonly request: unknown
  /** Name of the account that would do it. */
  readonly account?: string
}

/** The plan of a write: what would change, and the exact request. */
export function writePlan({ changes, request, account }: Previewed): Plan {
  const exact = typeof request === 'string' ? request : JSON.stringify(request)
  return plan([...changes, ...(account === undefined ? [] : [`as ${account}`]), `exactly: ${exact}`])
}

/** A text of others in quotes, without characters that mislead, cut to a length. */
export function quoted(text: string, maxChars = 200): string {
  const start = [...text.slice(0, maxChars * 2)].slice(0, maxChars).join('')
  const shown = JSON.stringify(start.length < text.length ? `${start}…` : start)
  return shown.replaceAll(/[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`)
}

/** One line that says how something is taken back. */
export function undoLine({ tool, arguments: given }: Undo): string {
  return `Undo: ${tool} ${JSON.stringify(given)}`
}
