import { coverageInWords } from '../inbox/coverage.ts'
import { InboxError } from '../inbox/inbox.ts'
import type { Question } from '../inbox/question.ts'
import { chosenCoverage } from './answer-coverage.ts'
import { ApiError } from './api-error.ts'
import { done, type Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import { questionContext } from './question-context.ts'
import { recordChange } from './record-change.ts'
import type { RouteAnswer } from './routes.ts'

const statuses = { Full: 429, Unknown: 404, Settled: 409, NotAllowed: 403 } as const

/** Questions and their answers. */
export function inboxHandlers(
  parts: ApiParts,
): Pick<Handlers, 'inbox' | 'answer' | 'questionContext' | 'grants' | 'revokeGrant'> {
  const { inbox } = parts
  return {
    inbox: () => ({ items: inbox.open.map(shownQuestion) }),
    questionContext: ({ id }) => {
      const question = inbox.open.find((one) => one.id === id)
      // one that was settled a moment ago, such as by an answer that covers it, has none
      return question ? questionContext(question, parts) : {}
    },
    async answer({ id, choice, content, sentence, door, covers, seen }, { isPage, isProven = false }) {
      const question = inbox.open.find((one) => one.id === id)
      if (isPage && question?.kind === 'start' && choice !== 'refuse') {
        throw new ApiError(403, 'A page accepts a server with a code from the terminal')
      }
      const chosen = question && chosenCoverage(question, { covers, seen }, parts)
      const given = {
        choice,
        by: isPage ? 'console' : door,
        ...(content && { content }),
        ...(chosen && { covers: chosen }),
        ...(sentence !== undefined && { sentence }),
      }
      try {
        await inbox.answer(id, given, { isLocal: true, isProven })
      } catch (error) {
        if (!(error instanceof InboxError)) throw error
        throw new ApiError(statuses[error.code], error.message)
      }
      return done
    },
    grants: () => ({ items: shownGrants(parts) }),
    async revokeGrant({ id }, context) {
      const grant = shownGrants(parts).find((one) => one.id === id)
      if (!grant) throw new ApiError(404, `There is no grant "${id}"; "trunkline grants" lists them`)
      const { server, says: why } = grant
      await recordChange(parts, context, { server, outcome: 'grant revoked', why })
      await parts.grants.revoke({ id })
      return grant
    },
  }
}

/** Current permissions by answers; a removed client is left out, for nothing is permitted to another of its name. */
function shownGrants({ grants, principals }: ApiParts): RouteAnswer<'grants'>['items'] {
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

/** A question as doors show it. */
export function shownQuestion(question: Question): RouteAnswer<'inbox'>['items'][number] {
  const { key: _key, principalId: _id, project, by, ...shown } = question
  return { ...shown, ...(project !== undefined && { project }), ...(by && { by }) }
}
