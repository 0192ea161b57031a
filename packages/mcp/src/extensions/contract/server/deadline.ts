import type { ServerHandler, ServerRequest } from '../../../dialects/dialect.ts'
import { failedTool } from '../../../dialects/failed-tool.ts'
import type { Fields } from '../../../wire/messages.ts'
import { withResultTerms } from '../terms.ts'
import type { CallState } from './call-state.ts'

/** Ends a call at its deadline: with an answer that says so, and with the signal of its handler aborted. */
export async function withDeadline(
  request: ServerRequest,
  state: CallState,
  next: ServerHandler,
): Promise<Awaited<ReturnType<ServerHandler>>> {
  const leftMs = Math.min(
    state.terms.deadlineMs ?? Number.POSITIVE_INFINITY,
    state.toolTerms.timeoutMs ?? Number.POSITIVE_INFINITY,
  )
  if (leftMs === Number.POSITIVE_INFINITY) return next(request)
  state.deadline = Date.now() + leftMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const overdue = new Promise<Fields>((resolve) => {
    timer = setTimeout(() => {
      const reason = `Tool "${state.tool}" took longer than ${leftMs} ms`
      // the answer goes out first, and then the signal aborts
      request.incoming.leave(new DOMException(reason, 'TimeoutError'))
      const terms = { status: { code: 124, class: 'timeout' }, retry: { class: 'transient' } } as const
      resolve(withResultTerms(failedTool(reason), { ...state.told, ...terms }))
    }, leftMs)
  })
  try {
    return await Promise.race([next(request), overdue])
  } finally {
    clearTimeout(timer)
  }
}
