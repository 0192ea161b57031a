import type { z } from 'zod'
import type { Host } from '../assembly/host.ts'
import { coverageInWords } from '../inbox/coverage.ts'
import { InboxError } from '../inbox/inbox.ts'
import { chosenCoverage } from './answer-coverage.ts'
import { ApiError } from './api-error.ts'
import * as forInbox from './inbox-schemas.ts'
import { questionContext } from './question-context.ts'
import { recordChange } from './record-change.ts'
import { done, route } from './route.ts'
import * as s from './schemas.ts'
import { shownQuestion } from './shown-question.ts'

const statuses = { Full: 429, Unknown: 404, Settled: 409, NotAllowed: 403 } as const

/** Routes of questions, their answers, and the permissions that answers gave. */
export const inboxRoutes = {
  inbox: route({
    method: 'GET',
    path: '/api/inbox',
    needs: 'nothing',
    says: 'Questions that wait, oldest first',
    answer: s.list(s.question),
    handle: (_input, { host: { inbox } }) => ({ items: inbox.open.map((one) => shownQuestion(one, inbox)) }),
  }),
  questionContext: route({
    method: 'GET',
    path: '/api/inbox/{id}/context',
    needs: 'nothing',
    says: 'What a person wants to know before they answer',
    answer: forInbox.questionBackground,
    handle: ({ id }, services) => {
      const question = services.host.inbox.open.find((one) => one.id === id)
      // one that was settled a moment ago, such as by an answer that covers it, has none
      return question ? questionContext(question, services) : {}
    },
  }),
  answer: route({
    method: 'POST',
    path: '/api/inbox/{id}',
    needs: 'person',
    says: 'Answers a question; the first answer wins',
    body: forInbox.answer,
    answer: s.confirmation,
    async handle({ id, choice, content, sentence, door, covers, seen, rule }, { host }, { isPage, isProven = false }) {
      const question = host.inbox.open.find((one) => one.id === id)
      if (isPage && question?.kind === 'start' && choice !== 'refuse') {
        throw new ApiError(403, 'A page accepts a server with a code from the terminal')
      }
      refuseWrongScope(choice, rule)
      const chosen = question && chosenCoverage(question, { covers, seen }, host)
      const given = {
        choice,
        by: isPage ? 'console' : door,
        ...(rule && { rule }),
        ...(content && { content }),
        ...(chosen && { covers: chosen }),
        ...(sentence !== undefined && { sentence }),
      }
      try {
        await host.inbox.answer(id, given, { isLocal: true, isProven })
      } catch (error) {
        if (!(error instanceof InboxError)) throw error
        throw new ApiError(statuses[error.code], error.message)
      }
      return done
    },
  }),
  grants: route({
    method: 'GET',
    path: '/api/grants',
    needs: 'nothing',
    says: 'What answers permit at the moment without a question, newest first',
    answer: s.list(forInbox.grant),
    handle: (_input, { host }) => ({ items: shownGrants(host) }),
  }),
  revokeGrant: route({
    method: 'DELETE',
    path: '/api/grants/{id}',
    needs: 'person',
    says: 'Takes back what one answer permits',
    answer: forInbox.grant,
    async handle({ id }, { host }, context) {
      const grant = shownGrants(host).find((one) => one.id === id)
      if (!grant) throw new ApiError(404, `There is no grant "${id}"; "trunkline grants" lists them`)
      const { server, says: why } = grant
      await recordChange(host, context, { server, outcome: 'grant revoked', why })
      await host.grants.revoke({ id })
      return grant
    },
  }),
}

const minuteMs = 60_000
const tenYearsMs = 10 * 366 * 24 * 3_600_000

/** Refuses a scope of a rule that no rule is made with, or that is over when it is written. */
function refuseWrongScope(choice: string, rule: z.output<typeof forInbox.answer>['rule']): void {
  if (!rule) return
  if (choice !== 'always') throw new ApiError(400, `"rule" is for "always", not for "${choice}"`)
  const fromNow = (rule.until ?? Date.now() + minuteMs) - Date.now()
  if (fromNow < minuteMs - 1_000 || fromNow > tenYearsMs) {
    throw new ApiError(400, 'A rule ends at least a minute and at most ten years from now')
  }
}

/** Current permissions by answers; a removed client is left out, for nothing is permitted to another of its name. */
function shownGrants({ grants, principals }: Host): z.output<typeof forInbox.grant>[] {
  const names = new Map(principals.all().map(({ id, name }) => [id, name]))
  return grants.all().flatMap(({ principalIds, question, project: root, tools, ...grant }) => {
    // the sampling of a server by itself is permitted to the server
    const clients = principalIds.flatMap((id) => names.get(id) ?? (id.startsWith('server ') ? id : [])).sort()
    if (clients.length === 0) return []
    const project = root === '*' ? undefined : root
    const covered = { server: grant.server, tools: tools.includes('*') ? undefined : tools, clients, project }
    return {
      ...grant,
      ...{ clients, tools: [...tools], says: coverageInWords(covered) },
      ...(question !== undefined && { question }),
      ...(project !== undefined && { project }),
    }
  })
}
