import { type AbortableWait, waitFor } from '../../rpc/abortable-wait.ts'
import { Deadline, deadlineDefaults } from '../../rpc/deadline.ts'
import type { Call } from '../../rpc/outgoing-calls.ts'
import { McpError, RpcError, UrlElicitationRequired } from '../../wire/errors.ts'
import { type Fields, isObject } from '../../wire/messages.ts'
import type { ClientSide, Link } from '../dialect.ts'

/** Repeats a call after the user has visited the URLs that its error asked for. */
export function withUrlElicitation(link: Link, self: ClientSide): Call {
  return async (method, params, options = {}) => {
    const { maxTotalMs = deadlineDefaults.maxTotalMs, signal } = options
    const startedAt = performance.now()
    // one time budget for all rounds and visits together
    const left = (): number => Math.max(maxTotalMs - (performance.now() - startedAt), 1)
    for (let round = 0; ; round++) {
      try {
        return await link.call(method, params, { ...options, maxTotalMs: left() })
      } catch (error) {
        const pages = pagesOf(error)
        if (!pages || round === self.maxInputRoundsPerCall || !self.capabilities.elicitation?.url) throw error
        await visitAll(pages, link, { self, signal, maxTotalMs: left(), refusal: error })
      }
    }
  }
}

function pagesOf(error: unknown): readonly Fields[] | undefined {
  if (!(error instanceof RpcError) || error.code !== UrlElicitationRequired || !isObject(error.data)) return undefined
  const { elicitations } = error.data
  if (!Array.isArray(elicitations) || elicitations.length === 0) return undefined
  return elicitations.every((page) => isObject(page) && typeof page.elicitationId === 'string')
    ? elicitations
    : undefined
}

interface Visiting {
  readonly self: ClientSide
  readonly signal: AbortSignal | undefined
  readonly maxTotalMs: number
  readonly refusal: unknown
}

/** Resolves when the server reports all elicitations as complete; otherwise the call times out. */
async function visitAll(pages: readonly Fields[], link: Link, visiting: Visiting): Promise<void> {
  const { self, signal, maxTotalMs, refusal } = visiting
  const late = new AbortController()
  const events = { expire: () => late.abort(refusal), held: () => false }
  const deadline = new Deadline({ timeoutMs: maxTotalMs, maxTotalMs }, events)
  const enough = AbortSignal.any([late.signal, link.gone, ...(signal ? [signal] : [])])
  try {
    await Promise.all(pages.map((page) => visit(page, link, { self, signal: enough })))
  } finally {
    deadline.stop()
  }
}

async function visit(
  page: Fields,
  link: Link,
  { self, signal }: { self: ClientSide; signal: AbortSignal },
): Promise<void> {
  const complete = completion(page.elicitationId as string, link, signal)
  try {
    const { action } = await self.answer('elicitation/create', { mode: 'url', ...page })
    if (action !== 'accept') throw new McpError('Input', `The user answered "${action}" to: ${page.message}`)
    await complete.promise
  } finally {
    complete.stop()
  }
}

// listening starts before the user is asked, so that no notification is missed
function completion(elicitationId: string, link: Link, signal: AbortSignal): AbortableWait {
  const listen = (completed: () => void): (() => void) =>
    link.listen((method, params) => {
      if (method === 'notifications/elicitation/complete' && params.elicitationId === elicitationId) completed()
    })
  return waitFor(listen, signal)
}
