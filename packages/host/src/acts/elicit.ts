import { type Fields, RpcError } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { Refused } from '../act/refused.ts'
import { serverNameOf } from '../act/server-key.ts'
import { type Inbox, InboxError } from '../inbox/inbox.ts'
import type { OpenCall } from '../relay/open-call.ts'
import type { LocalAnswers, ServerAsking } from '../relay/server-questions.ts'
import { hashOf } from '../text/json-hash.ts'
import { denied } from './apply-policy.ts'
import { type AskedActParts, askedAct } from './asked-act.ts'
import { recorded } from './record.ts'

/** Dependencies of forms and pages. */
export interface ElicitParts extends AskedActParts {
  readonly inbox: Inbox
  /** True if no person can be asked. */
  readonly isUnattended: boolean
}

/**
 * Answers forms and pages of servers, as acts of the kind `@elicit`: in the caller where it can show them, else in the
 * inbox. A rule that asks means the inbox, so that there is one question and a person answers it; one that denies declines.
 */
export function elicitor(parts: ElicitParts): LocalAnswers['elicit'] {
  return async (params, asked) => {
    const act = askedAct('elicit', params, asked, parts)
    const until = asked.signal ?? new AbortController().signal
    // begun in this turn, so that all that a server asks for at once reaches the caller in one round
    const answering = asked.byCaller ? elicit(act, asked, parts) : undefined
    answering?.catch(() => {})
    try {
      return await recorded(parts, act, { signal: until }, () => {
        until.throwIfAborted()
        return answering ?? elicit(act, asked, parts)
      })
    } catch (error) {
      until.throwIfAborted()
      if (error instanceof Refused && error.outcome === 'denied') return { action: 'decline' }
      if (!(error instanceof Refused || error instanceof InboxError)) throw error
      throw new RpcError(-32603, `Cannot ask for server "${act.server}": ${error.message}`)
    }
  }
}

async function elicit(act: Act, asked: ServerAsking, parts: ElicitParts): Promise<Fields> {
  parts.countAct(act)
  const verdict = parts.policy(act).judge(act)
  if (verdict.effect === 'deny') throw denied(act, verdict)
  if (asked.byCaller && verdict.effect === 'allow') return asked.byCaller(act.arguments)
  if (parts.isUnattended) return { action: 'cancel' }
  const { call, target } = asked
  const during = call && target !== undefined ? { target, client: act.principal.name } : undefined
  // members of these names would be the word of the server
  const { during: _, act: __, ...shown } = act.arguments
  return elicitLocally(parts.inbox, act.id, { ...shown, ...(during && { during }) }, asked)
}

async function elicitLocally(
  inbox: Inbox,
  act: Act['id'],
  params: Fields,
  { signal, call, serverKey: server }: ServerAsking,
): Promise<Fields> {
  const isPage = params.mode === 'url'
  const { question, settled } = await inbox.ask({
    kind: isPage ? 'page' : 'form',
    key: hashOf([server, params, isPage ? params.url : Math.random()]),
    server: serverNameOf(server),
    target: isPage ? String(params.url) : 'form',
    principal: `server ${serverNameOf(server)}`,
    principalId: `server ${server}`,
    project: undefined,
    why: String(params.message),
    detail: { ...params, act },
    by: 'local',
  })
  const withdraw = (): void => void inbox.withdraw(question.id, noLongerNeeded(call)).catch(() => {})
  signal?.addEventListener('abort', withdraw, { once: true })
  if (signal?.aborted) withdraw()
  const settlement = await settled
  signal?.removeEventListener('abort', withdraw)
  if (settlement.state !== 'answered') return { action: 'cancel' }
  const { choice, content } = settlement.answer
  if (choice === 'refuse') return { action: 'decline' }
  return { action: 'accept', ...(!isPage && { content: content ?? {} }) }
}

/** Reason why the question of a server needs no answer any more. */
export function noLongerNeeded(call: OpenCall | undefined): string {
  return call?.signal.aborted ? 'the client cancelled the call' : 'the server does not need it any more'
}
