import type { Fields, Interceptor } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { Refused } from '../act/refused.ts'
import { type Inbox, InboxError } from '../inbox/inbox.ts'
import type { Policy } from '../policy/policy.ts'
import type { Rule } from '../policy/rule.ts'
import { hashOf } from '../text/json-hash.ts'
import type { ActHandler, Doing } from './doing.ts'

export interface ReviewParts {
  policy(act: Act): Policy
  readonly inbox: Inbox
  readonly isUnattended: boolean
}

/** Holds results that a rule wants a person to see first; the caller gets the content that they let pass. */
export function review({ policy, inbox, isUnattended }: ReviewParts): Interceptor<ActHandler> {
  return (next) => (doing) => {
    const rule = doing.act.kind === 'call' ? policy(doing.act).reviewing(doing.act) : undefined
    if (rule === undefined) return next(doing)
    if (isUnattended) throw nobodySees(rule)
    return next(doing).then((result) => passed(doing, result, rule.text, inbox))
  }
}

/** Refuses a call whose result needs a review, when no person can review it. */
function nobodySees({ text, source: { file, line, layer } }: Rule): Refused {
  const why = `the rule review "${text}" wants a person to see the result first`
  return new Refused(
    'denied',
    `Nobody can be asked here, and ${why}. Remove or narrow it at ${file}:${line} (${layer})`,
  )
}

async function passed({ act, call }: Doing, result: Fields, rule: string, inbox: Inbox): Promise<Fields> {
  const asked = await ask(act, result, rule, inbox)
  if (await call.becomeTask()) call.status(`The result waits for a person (question ${asked.question.id})`)
  const withdraw = (): void => void inbox.withdraw(asked.question.id, 'the caller has left')
  call.signal.addEventListener('abort', withdraw, { once: true })
  const settlement = await asked.settled
  call.signal.removeEventListener('abort', withdraw)
  if (settlement.state !== 'answered') throw new Refused('withheld', `Nobody let this result pass: ${settlement.why}`)
  const { choice, sentence, content } = settlement.answer
  // the tool ran; only its result is kept back
  if (choice === 'refuse') {
    throw new Refused('withheld', `The tool ran, and a person kept its result back${sentence ? `: ${sentence}` : ''}`)
  }
  return content ?? result
}

async function ask(
  { id, server, target, principal, project }: Doing['act'],
  result: Fields,
  rule: string,
  inbox: Inbox,
) {
  try {
    return await inbox.ask({
      kind: 'result',
      key: hashOf(['result', id]),
      server,
      target,
      principal: principal.name,
      principalId: principal.id,
      project,
      why: `the rule review "${rule}" wants a person to see it first`,
      detail: { result, act: id },
      by: 'local',
    })
  } catch (error) {
    if (!(error instanceof InboxError)) throw error
    throw new Refused('withheld', `The tool ran, and nobody could be asked about its result: ${error.message}`)
  }
}
