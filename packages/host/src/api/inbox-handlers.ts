import { InboxError } from '../inbox/inbox.ts'
import type { Question } from '../inbox/question.ts'
import { ApiError } from './api-error.ts'
import { done, type Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'

const statuses = { Full: 429, Unknown: 404, Settled: 409, NotAllowed: 403 } as const

/** Questions and their answers. */
export function inboxHandlers({ inbox }: ApiParts): Pick<Handlers, 'inbox' | 'answer'> {
  return {
    inbox: () => ({ items: inbox.open.map(shownQuestion) }),
    async answer({ id, choice, content, sentence, door }) {
      const given = { choice, by: door, ...(content && { content }), ...(sentence !== undefined && { sentence }) }
      try {
        await inbox.answer(id, given, { isLocal: true })
      } catch (error) {
        if (!(error instanceof InboxError)) throw error
        throw new ApiError(statuses[error.code], error.message)
      }
      return done
    },
  }
}

/** A question as doors show it. */
export function shownQuestion(question: Question): RouteAnswer<'inbox'>['items'][number] {
  const { key: _key, principalId: _id, project, by, ...shown } = question
  return { ...shown, ...(project !== undefined && { project }), ...(by && { by }) }
}
