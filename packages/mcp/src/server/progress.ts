import type { Progress } from '../rpc/pending-call.ts'
import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import type { Fields } from '../wire/messages.ts'

/** A report that may lack what a caller of `ctx.progress` left out. */
type Report = { readonly [Member in keyof Progress]: Progress[Member] | undefined }

/**
 * The params of `notifications/progress`; undefined when no progress was asked for, or it is not more than was
 * reached.
 */
export function progressParams(
  { progress, total, message }: Report,
  { token, reached }: { readonly token: unknown; readonly reached: number },
): Fields | undefined {
  if (typeof progress !== 'number' || Number.isNaN(progress))
    throw new McpError('Misuse', `Cannot report progress: it must be a number, not ${kindOf(progress)}`)
  if (token === undefined || !(progress > reached)) return undefined
  return {
    progressToken: token,
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message }),
  }
}
